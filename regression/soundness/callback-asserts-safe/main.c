extern void reach_error(void);

static int n;
static void check(int x)
{
    if (x == 1)
        reach_error();
}
extern int each(int);

int main(void)
{
    each(check != 0);
    return 0;
}
