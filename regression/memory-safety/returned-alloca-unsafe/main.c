#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

char *get(int n)
{
    char *p = __builtin_alloca(n);
    *p = 1;
    return p;
}

int main(void)
{
    char *p = get(__VERIFIER_nondet_int() ? 4 : 8);
    int x = *p;
    return x;
}
