extern void reach_error(void);

int sum(int n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
    if (sum(2) != 3)
        reach_error();
    return 0;
}
