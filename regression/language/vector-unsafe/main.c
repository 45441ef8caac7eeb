#include <assert.h>

extern int __VERIFIER_nondet_int(void);
typedef unsigned char v16 __attribute__((vector_size(16)));

int main(void)
{
    unsigned char x = __VERIFIER_nondet_int();
    v16 a = { x, x }, b = a + 100;
    assert((a < b)[1] == -1);
    return 0;
}
