#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < -8 || n > 8)
        return 0;
    double half = n / 2.0;
    assert(lround(half) == (n < 0 ? (n - 1) / 2 : (n + 1) / 2));
    assert(lrint(half) == (n % 4 == 1 || n % 4 == -3 ? (n - 1) / 2 : n % 2 ? (n + 1) / 2 : n / 2));
    assert(fdim(half, 1) == (n > 2 ? half - 1 : 0));
    return 0;
}
