#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(4);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        p[i] = 1;
    free(p);
    return 0;
}
