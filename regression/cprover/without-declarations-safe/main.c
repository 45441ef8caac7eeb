long long nondet_long(void);

int main(void)
{
    long long x = nondet_long();
    __CPROVER_input("x", x);
    __CPROVER_assume(x > (1LL << 40));
    __CPROVER_atomic_begin();
    __CPROVER_precondition(x != 0, "not null");
    __CPROVER_cover(x == 7);
    __CPROVER_atomic_end();
    __CPROVER_postcondition(x > 1000, "large");
}

