#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[2], b[2];
    a[0] = __VERIFIER_nondet_int();
    memcpy(b, a, sizeof b);
    return b[0];
}
