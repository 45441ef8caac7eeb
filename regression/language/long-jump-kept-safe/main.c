#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

struct context {
    jmp_buf out;
    int error, codes[4];
};

static int *found;

static void leave(struct context *c, int *p, int error)
{
    c->error = error;
    c->codes[error & 3] = 7;
    *p = error;
    longjmp(c->out, 1);
}

int main(void)
{
    struct context c;
    int shared = 0, before = 4, error = __VERIFIER_nondet_int();
    c.error = 0;
    found = &shared;

    if (setjmp(c.out) == 0)
        leave(&c, found, error);
    else
        assert(c.error == error && c.codes[error & 3] == 7 && shared == error && before == 4);
    return 0;
}
