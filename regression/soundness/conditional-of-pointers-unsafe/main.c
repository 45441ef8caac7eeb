extern void reach_error(void);

int calls;
char *f(void)
{
    calls++;
    return (char *)8;
}

int main(void)
{
    void *q = 0;
    void *r = f() ?: q;
    if (r && calls == 1)
        reach_error();
    return 0;
}
