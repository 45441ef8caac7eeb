#include <assert.h>
#include <errno.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    errno = 0;
    int *p = malloc(__VERIFIER_nondet_int() ? 8 : 16);
    if (!p)
        return 0;
    free(p);
    errno = __VERIFIER_nondet_int();
    assert(errno == errno);
    return 0;
}
