#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static _Thread_local int count = 3;
__thread int other;

int main(void)
{
    other = __VERIFIER_nondet_int() & 1;
    count += other;
    assert(count == 3);
    return 0;
}
