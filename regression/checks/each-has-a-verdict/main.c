int nondet_int(void);

int main(void)
{
    int x = nondet_int();
    __CPROVER_assert(x == x, "holds");
    __CPROVER_assert(x != 3, "violated");
    __CPROVER_assert(x != 4, "violated as well");
    if (x == 3)
        __CPROVER_assert(0, "never reached past the check above");
}
