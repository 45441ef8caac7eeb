extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char narrow = __VERIFIER_nondet_int();
    long long wide = narrow;
    if (wide < 0)
        reach_error();
    return 0;
}
