#include <assert.h>
#include <stdarg.h>
extern int __VERIFIER_nondet_int(void);

static int second(va_list list)
{
    va_arg(list, int);
    return va_arg(list, int);
}

static int through(int (*unused)(va_list), ...)
{
    va_list list;
    va_start(list, unused);
    int result = unused(list);
    va_end(list);
    return result;
}

int main(void)
{
    int (*call)(int (*)(va_list), ...) = through;
    int x = __VERIFIER_nondet_int();
    assert(through(second, x, 2) == x);
    return 0;
}
