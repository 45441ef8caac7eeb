#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static long apart(int *a, int *b) { return b - a; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int *a = calloc(4, sizeof *a), other[4] = { 0 };
    long far = apart(a, x == 77 ? other : a + 1);
    free(a);
    return far == 0;
}
