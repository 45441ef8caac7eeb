#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    int a[2] = { __VERIFIER_nondet_int(), __VERIFIER_nondet_int() };
    int first = a[0];
    qsort(a, 2, sizeof *a, compare);
    assert(a[0] <= a[1] && (a[0] == first || a[1] == first));
    return 0;
}
