extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __CPROVER_assume(x > 3);
    __ESBMC_assume(x < 5);
    __CPROVER_assert(x == 4, "x is four");
    __ESBMC_assert(x == 4, "x is four");
    __VERIFIER_assert(x == 4);
    return 0;
}
