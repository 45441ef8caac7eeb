extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int quotient = x >> 3;
    if (quotient * 8 + x % 8 != x)
        reach_error();
    return 0;
}
