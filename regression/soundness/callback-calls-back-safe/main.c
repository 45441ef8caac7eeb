extern void reach_error(void);

static int n, other;
extern void each(void (*f)(int *), int depth);
extern void fill(int *p);
static void again(int *p)
{
    fill(&n);
    each(again, *p);
}

int main(void)
{
    each(again, 3);
    if (other)
        reach_error();
    return 0;
}
