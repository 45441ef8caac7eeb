int main(void)
{
    int a[4] = {1, 2, 3, 4};
    __CPROVER_havoc_object(a + 2);
    __CPROVER_assert(a[0] == 1, "the first element as well");
}
