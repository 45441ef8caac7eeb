#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    *p = __VERIFIER_nondet_int();
    if (*p == 3)
        reach_error();
    free(p);
    return 0;
}
