#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *p;

int main(void)
{
    p = malloc(4);
    if (__VERIFIER_nondet_int() && p)
        free(p);
    return 0;
}
