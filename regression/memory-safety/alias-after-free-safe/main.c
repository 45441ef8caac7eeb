#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(2 * sizeof *p), *q = p + 1;
    *q = __VERIFIER_nondet_int();
    int x = *q;
    free(p);
    return x;
}
