#include <stdio.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *text = __VERIFIER_nondet_int() ? calloc(3, 1) : 0;
    puts(text);
    free(text);
    return 0;
}
