#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_int() & 0xff, y = x;
    asm("bswap %0" : "+r"(y));
    assert(y == x << 24);
    return 0;
}
