#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint(), at;
    asm("bsrl %1, %0" : "=r"(at) : "r"(x | 1));
    assert(at < 31);
    return 0;
}
