#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int real(int x)
{
    return x + 1;
}

int other(int x) __attribute__((alias("real")));

int main(void)
{
    int x = __VERIFIER_nondet_int() & 0xff;
    assert(other(x) == real(x) && other == real);
    return 0;
}
