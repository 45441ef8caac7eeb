#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int *shared;
int drop(void)
{
    return __VERIFIER_nondet_int();
}

int main(void)
{
    shared = malloc(sizeof *shared);
    int *p = shared;
    *p = drop();
    free(p);
    return 0;
}
