#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y = 5, old = x;
    asm("" : "=r"(x), "=r"(y) : "0"(y), "1"(x));
    assert(x == 5 && y == old);
    return 0;
}
