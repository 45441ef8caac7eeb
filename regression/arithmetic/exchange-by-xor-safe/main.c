extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int old_a = a, old_b = b;
    a ^= b;
    b ^= a;
    a ^= b;
    if (a != old_b || b != old_a)
        reach_error();
    return 0;
}
