#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static void (*release)(void *) = free;

int main(void)
{
    int *p = malloc(sizeof *p);
    if (__VERIFIER_nondet_int())
        release(p);
    release(p);
    return 0;
}
