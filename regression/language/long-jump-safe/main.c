#include <assert.h>
#include <setjmp.h>

extern int __VERIFIER_nondet_int(void);

struct context {
    int depth;
    jmp_buf out;
};

static void fail(struct context *c, int code) __attribute__((noreturn));

static void fail(struct context *c, int code)
{
    c->depth += 100;
    longjmp(c->out, code);
}

static int parse(struct context *c, int x)
{
    c->depth++;
    if (x < 0)
        fail(c, 0);
    if (x > 10)
        fail(c, x);
    c->depth--;
    return 2 * x;
}

static int (*parser)(struct context *, int) = parse;

int main(void)
{
    struct context c = { 0 };
    int x = __VERIFIER_nondet_int(), first = 7;
    volatile int stage = 0;
    switch (setjmp(c.out)) {
    case 0:
        stage = 1;
        int a = parser(&c, x);
        stage = 2;
        assert(a >= 0 && a <= 20 && c.depth == 0);
        a += parse(&c, x + 1);
        assert(x >= 0 && x < 10 && a == 4 * x + 2);
        break;
    case 1:
        assert(x < 0 && stage == 1);
        break;
    default:
        assert(x >= 10 && stage == (x == 10 ? 2 : 1) && c.depth == 101 && first == 7);
    }
    return 0;
}
