extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = __VERIFIER_nondet_int();
    int x = 1;
    while (__VERIFIER_nondet_int())
        x = 3 - x + 0 * (10 / d);
    if (x != 1 && x != 2)
        reach_error();
    return x;
}
