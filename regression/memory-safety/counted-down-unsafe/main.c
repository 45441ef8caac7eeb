#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

static void clear(char *p, size_t count)
{
    while (count--)
        *p++ = 0;
}

int main(void)
{
    unsigned size = __VERIFIER_nondet_uint(), count = __VERIFIER_nondet_uint();
    if (size < 1 || size > 1000000 || count > size + 1)
        return 0;
    char *block = malloc(size);
    clear(block, count);
    free(block);
    return 0;
}
