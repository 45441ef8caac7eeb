int nondet_int(void);

int main(void)
{
    int a[4] = {nondet_int(), nondet_int(), nondet_int(), 7};
    __CPROVER_assume(__CPROVER_forall { int i; (0 <= i && i < 3) ==> a[i] > 2 });
    __CPROVER_assert(__CPROVER_forall { unsigned j; j <= 3 ==> a[j] >= 3 }, "all");
    __CPROVER_assert(__CPROVER_exists { int k; k >= 0 && 4 > k && a[k] == 7 }, "one");
}
