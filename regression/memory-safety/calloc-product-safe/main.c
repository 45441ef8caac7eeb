#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = calloc(3, 2);
    unsigned i = __VERIFIER_nondet_int();
    int x = i < 6 ? p[i] : 0;
    free(p);
    return x;
}
