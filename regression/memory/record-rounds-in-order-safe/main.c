extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct three { int a, b, c; };
static int last;

static int sum(const void *record, unsigned count)
{
    const int *words = record;
    int sum = 0, step = 1;
    for (unsigned i = 0; i < count; i += step) {
        int own = words[i];
        if (own == 100)
            return -1;
        int *where = &step;
        sum += own;
        last = i;
        *where = 1;
    }
    return sum;
}

int main(void)
{
    struct three t = {1, 2, __VERIFIER_nondet_int()};
    if (t.c != 3)
        return 0;
    int seen = sum(&t, sizeof t / sizeof(int));
    if (seen != 6 || last != 2)
        reach_error();
    return 0;
}
