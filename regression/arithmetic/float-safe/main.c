#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern float __VERIFIER_nondet_float(void);

// A table grows when it is three quarters full, as hash tables have it.
static unsigned limit(unsigned size)
{
    return (unsigned)(size * 0.77 + 0.5);
}

int main(void)
{
    assert(limit(4) == 3 && limit(32) == 25 && limit(1000000) == 770000);
    assert(0.1 + 0.2 != 0.3 && 0.1f + 0.2f == 0.3f);
    int x = __VERIFIER_nondet_int();
    double d = x;
    assert((int)d == x);
    assert(d <= 2147483647.0 && d >= -2147483648.0);
    if (x > 0)
        assert(d > 0 && -d < 0);
    float f = x;
    if (x > -16777216 && x < 16777216)
        assert((int)f == x);
    float g = __VERIFIER_nondet_float();
    if (g >= 0 && g <= 1000)
        assert(g + 1 >= 1 && (int)g <= 1000);
    if (g != g)
        assert(!(g < 1) && !(g >= 1));
    return 0;
}
