#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int sum(int count, ...)
{
    va_list list;
    int total = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

int main(void)
{
    int x = __VERIFIER_nondet_int() & 0xff;
    assert(sum(3, x, 3, x) != 13);
    return 0;
}
