#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

struct pair {
    long first, second;
};

static long pick(int kinds, ...)
{
    va_list list, copy;
    va_start(list, kinds);
    va_copy(copy, list);
    long number = va_arg(list, long);
    struct pair pair = va_arg(list, struct pair);
    int last = va_arg(list, int);
    long again = va_arg(copy, long);
    va_end(copy);
    va_end(list);
    return number + again + pair.second + last;
}

int main(void)
{
    long x = __VERIFIER_nondet_int() & 0xff;
    struct pair pair = { 1, x };
    long result = pick(3, 100L, pair, 2);
    assert(result == 202 + x);
    return 0;
}
