extern void reach_error(void);

int calls;

void count(int n, int *deepest)
{
    calls++;
    if (n < 3000)
        count(n + 1, deepest);
    else
        *deepest = n;
}

int main(void)
{
    int deepest = 0;
    count(0, &deepest);
    if (deepest == 3000 && calls == 3001)
        reach_error();
    return 0;
}
