extern void reach_error(void);

static int n, other;
static void count(void) { n++; }
extern void each(void (*f)(void));
static void all(void (*f)(void), int x)
{
    void (*g)(void) = x ? f : 0;
    each(g);
}

int main(void)
{
    all(count, 1);
    if (n)
        reach_error();
    return 0;
}
