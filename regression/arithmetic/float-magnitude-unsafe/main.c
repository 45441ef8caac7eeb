#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -7 || n > 7)
        return 0;
    assert(fabs(n / 4.0) < 1.75);
    return 0;
}
