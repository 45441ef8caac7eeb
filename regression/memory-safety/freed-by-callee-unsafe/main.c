#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

void drop(int *p, int all)
{
    if (all)
        free(p);
}

int main(void)
{
    int *p = malloc(sizeof *p), all = __VERIFIER_nondet_int();
    *p = 1;
    drop(p, all);
    if (all)
        *p = 2;
    if (!all)
        free(p);
    return 0;
}
