int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    __CPROVER_assume(a > 10 || a < -10 ==> b == a);
    __CPROVER_assert(b == a, "also for small ones");
}
