#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define LIMIT 1000

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
    references--;
}

/* Nobody calls this any more. */
static int peek(void)
{
    return level - 1;
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
