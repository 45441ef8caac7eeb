extern void reach_error(void);

static int n, other;
static void count(void) { n++; }
extern void each(void (*f)(void));

int main(void)
{
    each(count);
    if (n)
        reach_error();
    return 0;
}
