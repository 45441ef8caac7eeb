extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int rounds = 0;
    for (int i = 0; i < 3; ) {
        rounds++;
        if (rounds > 3)
            reach_error();
        if (__VERIFIER_nondet_int())
            continue;
        i++;
    }
    return 0;
}
