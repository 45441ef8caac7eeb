#include <setjmp.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
jmp_buf buffer;

static int checked(int x)
{
    if (x > 10)
        longjmp(buffer, x);
    return x;
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), code = setjmp(buffer);
    if (code == 0)
        checked(x);
    else if (code == 12)
        reach_error();
    return 0;
}
