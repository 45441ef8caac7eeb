#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = calloc(2, sizeof *p);
    int x = p[1];
    free(p);
    return x;
}
