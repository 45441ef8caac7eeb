extern void reach_error(void);

int x;
int main(void)
{
    int *p = &x, *one = (int *)0x404018, *other = (int *)0x50000000;
    if (p == (int *)-1 || p == (int *)16 || one == other)
        reach_error();
    return 0;
}
