extern void reach_error(void);

void down(int n)
{
    if (n == 100)
        reach_error();
    if (n < 200)
        down(n + 1);
}

int main(void)
{
    down(0);
    return 0;
}
