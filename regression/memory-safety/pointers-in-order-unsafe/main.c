#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 1 || n > 5)
        return 0;
    int *a = calloc(n, sizeof *a), other[5];
    int *end = n < 5 ? a + n : other + n;
    // Which of two arrays comes first is for the system to choose: nothing else depends on it.
    sum += (a < end) * 0;
    free(a);
    return sum;
}
