unsigned nondet_unsigned(void);

int main(void)
{
    unsigned a = nondet_unsigned(), b = nondet_unsigned();
    __CPROVER_assert(!__CPROVER_overflow_plus(a, b), "never");
}
