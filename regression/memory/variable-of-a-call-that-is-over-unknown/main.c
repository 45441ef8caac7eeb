extern void reach_error(void);

int *gone;
static void first(void)
{
    int x = 1;
    gone = &x;
}
static void second(void)
{
    int y = 2, *p = &y;
    if (p == gone)
        reach_error();
}
int main(void)
{
    first();
    second();
    return 0;
}
