extern void reach_error(void);

int x;
int main(void)
{
    int *there = (int *)0x40401c, *p = &x;
    if (p == there)
        reach_error();
    return 0;
}
