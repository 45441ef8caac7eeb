#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100)
        return 0;
    div_t d = div(x, 7);
    assert(d.rem != 3);
    return 0;
}
