#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    return labs((long)n) > 6 && (n > -100 && abs(n) > 5);
}
