#include <assert.h>

extern float __VERIFIER_nondet_float(void);

int main(void)
{
    float a = __VERIFIER_nondet_float();
    if (a > 0 && a < 100000000)
        assert(a + 1 > a);
    return 0;
}
