#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    char *p = malloc(n);
    memset(p, 0, n + 0);
    free(p);
    return 0;
}
