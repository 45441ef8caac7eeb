#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int *p = malloc(n * sizeof *p);
    p[n + 0] = 1;
    free(p);
    return 0;
}
