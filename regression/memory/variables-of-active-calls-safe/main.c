extern void reach_error(void);

int *outer;
static void second(void)
{
    int y = 2, *p = &y;
    if (p == outer)
        reach_error();
}
int main(void)
{
    int x = 1;
    outer = &x;
    second();
    return 0;
}
