#include <assert.h>

extern int __VERIFIER_nondet_int(void);

static int average(int a, int b)
{
    return (a + b) / 2;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a < 0 || b < 0)
        return 0;
    int middle = average(a, b);
    assert(a > 10 || a <= 10);
    if (a <= 1000 && b <= 1000)
        assert(middle <= 1000);
    assert(middle >= a || middle >= b);
    if (a > 5 && a < 3)
        middle = 0;
    return middle == a;
}
