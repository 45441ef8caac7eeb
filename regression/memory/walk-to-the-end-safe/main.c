extern void reach_error(void);

int a[4] = { 1, 2, 3, 4 }, b[4] = { 1, 1, 1, 1 };
static int sum(const int *p, const int *end)
{
    int s = 0;
    while (p != end)
        s += *p++;
    return s;
}
int main(void)
{
    if (sum(a, a + 4) != 10 || sum(b, b + 4) != 4)
        reach_error();
    return 0;
}
