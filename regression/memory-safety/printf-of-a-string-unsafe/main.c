#include <stdio.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 3)
        return 0;
    char text[4];
    memset(text, 'a', sizeof text);
    if (x)
        text[x] = 0;
    printf("%d: %s\n", x, text);
    return 0;
}
