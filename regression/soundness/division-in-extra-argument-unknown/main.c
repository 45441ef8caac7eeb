extern void reach_error(void);

int f(int n, ...)
{
    return n;
}

int main(void)
{
    int zero = 0;
    f(1, 7 / zero);
    reach_error();
    return 0;
}
