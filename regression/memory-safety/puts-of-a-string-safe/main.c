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
    text[3] = 0;
    puts(text);
    fputs(text, stdout);
    fprintf(stderr, "%s\n", text);
    return 0;
}
