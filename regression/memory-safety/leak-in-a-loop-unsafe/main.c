#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 3; i++) {
        int *p = malloc(4);
        *p = n;
        if (n != i)
            free(p);
    }
    return 0;
}
