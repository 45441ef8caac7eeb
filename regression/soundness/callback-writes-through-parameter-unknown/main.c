extern void reach_error(void);

static int n;
static int other;
static void point(int **p) { *p = &other; }
extern void with(void (*f)(int **), int **p);

int main(void)
{
    int x = 0;
    int *q = &x;
    with(point, &q);
    *q = 1;
    if (other)
        reach_error();
    return 0;
}
