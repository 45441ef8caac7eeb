#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), y;
    asm volatile("" ::: "memory");
    asm("" : "+r"(x));
    asm("" : "=r"(y) : "0"(x));
    asm volatile("pause");
    assert(x == y);
    return 0;
}
