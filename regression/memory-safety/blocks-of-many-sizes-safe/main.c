#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    for (int i = 0; i < 3; i++) {
        int n = __VERIFIER_nondet_int();
        if (n < 1 || n > 100)
            continue;
        char *p = malloc(n);
        p[0] = 1;
        p[n - 1] = 2;
        free(p);
    }
    return 0;
}
