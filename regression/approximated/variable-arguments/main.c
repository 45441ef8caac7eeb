extern void reach_error(void);

int sum(int n, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, n);
    int s = 0;
    while (n-- > 0)
        s += __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return s;
}

int main(void)
{
    if (sum(2, 1, 2) != 3)
        reach_error();
    return 0;
}
