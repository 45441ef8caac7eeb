extern void reach_error(void);

static int *kept;
static int y;
static void keep(int *p) { kept = p; }
extern void with(void (*f)(int *), int *p);

int main(void)
{
    int x = 0;
    with(keep, &x);
    x = 0;
    if (kept != 0)
        *kept = 1;
    if (x)
        reach_error();
    return 0;
}
