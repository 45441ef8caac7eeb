#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int state = 1;

__attribute__((constructor)) static void second(void)
{
    state = state * 10 + 2;
}

__attribute__((constructor(200))) static void first(void)
{
    state = state * 10 + 1;
}

__attribute__((destructor)) static void last(void)
{
    assert(state == 112);
}

int main(void)
{
    assert(state == 112);
    if (__VERIFIER_nondet_int())
        state = 7;
    return 0;
}
