int main(void)
{
    int a[4] = {0};
    __CPROVER_assert(__CPROVER_forall { int i; a[i & 3] == 0 }, "all");
}
