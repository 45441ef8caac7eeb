#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x, *p = malloc(4);
    int *q = __VERIFIER_nondet_int() ? p : &x;
    free(q);
    if (!q)
        free(p);
    return 0;
}
