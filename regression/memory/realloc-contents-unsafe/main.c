#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(2 * sizeof *p);
    p[0] = n;
    p[1] = n + 1;
    p = realloc(p, 4 * sizeof *p);
    p[1] = 7;
    if (p[0] != n || p[1] != n + 1)
        reach_error();
    p = realloc(p, sizeof *p);
    if (p[0] != n)
        reach_error();
    free(p);
    return 0;
}
