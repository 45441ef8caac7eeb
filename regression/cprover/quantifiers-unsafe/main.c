int nondet_int(void);

int main(void)
{
    int a[4] = {nondet_int(), nondet_int(), nondet_int(), 7};
    __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 2) ==> a[i] > 2 });
    __CPROVER_assert(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] > 2 }, "the last one as well");
}
