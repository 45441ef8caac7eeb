#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    float f = x;
    assert((long)f == x);
    return 0;
}
