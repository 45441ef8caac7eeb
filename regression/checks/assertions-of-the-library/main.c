#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    assert(2 * n <= 200);
    if (n > 100)
        assert(n == 256);
    assert(n != 77);
    return 0;
}
