int main(void)
{
    int a[4] = {1, 2, 3, 4}, b = 5;
    int *p = &b;
    __CPROVER_havoc_object(a + 2);
    __CPROVER_havoc_slice(a, 2 * sizeof *a);
    __CPROVER_assert(*p == 5, "another object");
}
