extern void reach_error(void);

int main(void)
{
    int *p;
    {
        int a[8];
        p = a;
        a[0] = 1;
    }
    {
        int b[8], *q = b;
        if (p == q)
            reach_error();
    }
    return 0;
}
