#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int state;

static void last(void)
{
    assert(state == 11 || state == 12);
}

static void before_last(void)
{
    state += 10;
}

int main(void)
{
    atexit(last);
    atexit(before_last);
    state = 1;
    if (__VERIFIER_nondet_int())
        exit(0);
    state = 2;
    return 0;
}
