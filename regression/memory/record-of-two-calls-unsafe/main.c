extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct two { int x, y; };

static int first(const void *record, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += ((const int *)record)[i];
    return sum;
}

static int changed(const void *record, int count)
{
    int *more = &count;
    if (__VERIFIER_nondet_int())
        *more = 2;
    return first(record, count);
}

int main(void)
{
    struct two a = {1, 2};
    if (changed(&a, 1) != 1)
        reach_error();
    return 0;
}
