int nondet_int(void);

int main(void)
{
    int a = nondet_int(), b = nondet_int();
    __CPROVER_assume(a > 10 || a < -10 ==> b == a);
    __CPROVER_assert(a == 20 ==> b != 20 ==> 0, "twice");
    __CPROVER_assert(a == b <==> b == a, "both ways");
}
