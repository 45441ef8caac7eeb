extern void reach_error(void);

static void add(int n, int *sum)
{
    if (n == 0) {
        __builtin_add_overflow(2, 3, sum);
        return;
    }
    add(n - 1, sum);
}

int main(void)
{
    int sum = 0;
    add(3000, &sum);
    if (sum == 5)
        reach_error();
    return 0;
}
