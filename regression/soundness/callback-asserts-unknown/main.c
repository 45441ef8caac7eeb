extern void reach_error(void);

static int n;
static void check(int x)
{
    if (x == 1)
        reach_error();
}
extern void each(void (*f)(int));

int main(void)
{
    each(check);
    return 0;
}
