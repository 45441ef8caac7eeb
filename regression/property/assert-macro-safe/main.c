#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int r = __VERIFIER_nondet_int() % 10;
    assert(r >= -9 && r < 10);
    return 0;
}
