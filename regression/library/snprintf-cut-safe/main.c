#include <assert.h>
#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char text[4] = "zzz";
    int x = __VERIFIER_nondet_int();
    int length = snprintf(text, 3, "%04x", x & 0xff);
    assert(length == 4 && text[0] == '0' && text[1] == '0' && !text[2] && !text[3]);
    return 0;
}
