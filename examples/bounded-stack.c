/* A stack's fill level with reference counting on the side: the two counters are kept by different functions, and agree
   at all times. The invariant that tamis finds says how they hang together.

       tamis check bounded-stack.c                 proves it, and prints the invariant
       tamis check bounded-stack.c -D LEAK         finds the path that forgets one of them */

#include <assert.h>

#define LIMIT 1000

extern int __VERIFIER_nondet_int(void);

/* Elements on the stack, and elements that somebody still owns. */
static int level = 0;
static int references = 0;

static int push(void)
{
    if (level >= LIMIT)
        return 0;
    level++;
    references++;
    return 1;
}

static void pop(void)
{
    if (level <= 0)
        return;
    level--;
#ifdef LEAK
    if (__VERIFIER_nondet_int() == 42)
        return;
#endif
    references--;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            push();
        else
            pop();
        assert(references == level);
        assert(0 <= level && level <= LIMIT);
    }
    return 0;
}
