#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 1 || n > 5)
        return 0;
    int *a = calloc(n, sizeof *a), other[5];
    for (int *p = a; p < a + n; p++)
        sum += *p;
    free(a);
    return sum;
}
