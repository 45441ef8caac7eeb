extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    check(x * 2 % 2 == 0);
    check((x & 1) <= 1);
    return 0;
}
