#include <assert.h>

extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double a = __VERIFIER_nondet_double();
    assert(a == a);
    return 0;
}
