#include <stdio.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[3];
    int x = __VERIFIER_nondet_int();
    sprintf(text, "%u", x & 0xff);
    return 0;
}
