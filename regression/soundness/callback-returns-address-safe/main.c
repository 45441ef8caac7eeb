extern void reach_error(void);

static int n, other;
static int *where(void) { return &n; }
extern void each(int *(*f)(void));

int main(void)
{
    each(where);
    if (other)
        reach_error();
    return 0;
}
