extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int used = 0;
    for (int round = 0; round < 20; round++) {
        used++;
        if (used == 20)
            reach_error();
    }
    return 0;
}
