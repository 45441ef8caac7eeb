int main(void)
{
    int x = 3;
    __CPROVER_assert(x == 4, "x is four");
    return 0;
}
