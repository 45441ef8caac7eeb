#include <ctype.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    if (c < -1000 || c > 255)
        return 0;
    return isspace(c) != 0;
}
