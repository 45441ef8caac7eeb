#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[2] = { __VERIFIER_nondet_char(), 0 };
    char *copy = strdup(text);
    if (!copy)
        return 0;
    text[0] = 'x';
    assert(copy[0] == 0 || copy[1] == 0);
    free(copy);
    return 0;
}
