unsigned nondet_unsigned(void);

int main(void)
{
    unsigned a = nondet_unsigned(), b = nondet_unsigned();
    if (!__CPROVER_overflow_plus(a, b))
        __CPROVER_assert(a + b >= a, "no overflow");
    else
        __CPROVER_assert(a + b < a, "overflow");
    __CPROVER_assert(__CPROVER_overflow_minus(2, -2147483647), "signed");
}
