int f(int x)
__CPROVER_requires(x > 0)
__CPROVER_ensures(__CPROVER_return_value > x)
{
    return x - 1;
}

int main(void)
{
    __CPROVER_assert(f(3) > 3, "as the contract promises");
}
