#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[8];
    int x = __VERIFIER_nondet_int();
    if (x < -9 || x > 99)
        return 0;
    int length = snprintf(text, sizeof text, "%s=%d", "x", x);
    assert(text[2] != '-' || text[3] != '5');
    return 0;
}
