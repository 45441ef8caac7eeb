#include <assert.h>
#include <math.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    double number = n / 4.0;
    float single = n < 100 && n > -100 ? n * 0.5f : -0.0f;
    assert(fabs(number) == (n < 0 ? -number : number));
    assert(__builtin_fabs(number) >= 0 && __builtin_fabsf(single) >= 0);
    assert(fabsf(single) == single || fabsf(single) == -single);
    assert(!signbit(fabs(-0.0)));
    return 0;
}
