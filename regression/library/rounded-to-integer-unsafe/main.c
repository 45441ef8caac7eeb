#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -8 || n > 8)
        return 0;
    assert(lround(n / 2.0) == lrint(n / 2.0) || fdim(n, 0) > 0);
    return 0;
}
