extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    for (int i = 0; i < 4; i++) {
        int fresh = 0;
        fresh++;
        if (fresh > 1)
            reach_error();
    }
    return 0;
}
