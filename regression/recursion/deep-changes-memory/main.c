extern void reach_error(void);

int calls;

void count(int n, int *deepest)
{
    calls++;
    if (n < 30)
        count(n + 1, deepest);
    else
        *deepest = n;
}

int main(void)
{
    int deepest = 0;
    count(0, &deepest);
    if (deepest == 30 && calls == 31)
        reach_error();
    return 0;
}
