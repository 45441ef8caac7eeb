#include <stdlib.h>
unsigned long nondet_size(void);

int main(void)
{
    unsigned long n = nondet_size();
    __CPROVER_assume(n > 3 && n < 100);
    char *p = malloc(n);
    __CPROVER_assert(__CPROVER_r_ok(p + 1, n), "one byte too many");
    free(p);
}
