#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char from[8] = "1234567", to[4];
    unsigned n = __VERIFIER_nondet_int();
    if (n <= 5)
        memcpy(to, from, n);
    return 0;
}
