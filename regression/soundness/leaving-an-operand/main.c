extern void reach_error(void);

int g;
int f(int a, int b)
{
    return a + b;
}

int h(void)
{
    return f(g++, ({ if (1) return 1; 2; }));
}

int main(void)
{
    h();
    if (g == 0)
        reach_error();
    return 0;
}
