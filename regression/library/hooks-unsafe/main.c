#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct hooks {
    void *(*allocate)(size_t);
    void (*release)(void *);
};
static struct hooks hooks = { malloc, free };

int main(void)
{
    int *p = hooks.allocate(sizeof *p);
    if (!p)
        return 0;
    *p = __VERIFIER_nondet_int();
    int x = *p;
    hooks.release(p);
    assert(x != 3);
    return 0;
}
