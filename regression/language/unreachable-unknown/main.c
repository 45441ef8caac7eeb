#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int half(unsigned x)
{
    switch (x & 3) {
    case 0: return 0;
    case 2: return 1;
    default: __builtin_unreachable();
    }
}

int main(void)
{
    unsigned x = __VERIFIER_nondet_int();
    if (x == 1)
        return 0;
    assert(half(x) == (x & 2 ? 1 : 0));
    return 0;
}
