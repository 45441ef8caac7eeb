extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int triangle(int n)
{
    if (n == 0)
        return 0;
    return n + triangle(n - 1);
}

static int leaves(int height)
{
    if (height <= 1)
        return 1;
    return leaves(height - 1) + leaves(height - 2);
}

int main(void)
{
    int rows = 60;
    int height = 14;
    if (triangle(rows) != 1830)
        reach_error();
    if (leaves(height) != 611)
        reach_error();
    return 0;
}
