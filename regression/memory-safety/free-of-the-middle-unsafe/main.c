#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4), *q = p;
    q += __VERIFIER_nondet_int() ? 1 : 0;
    free(q);
    return 0;
}
