extern void reach_error(void);

extern void parse(const char *, __builtin_va_list);

static void read_into(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    parse(format, list);
    __builtin_va_end(list);
}

int main(void)
{
    int x = 1;
    read_into("%d", &x);
    if (x == 7)
        reach_error();
    return 0;
}
