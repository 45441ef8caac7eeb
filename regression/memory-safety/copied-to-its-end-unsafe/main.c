#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

int main(void)
{
    unsigned size = __VERIFIER_nondet_uint(), room = __VERIFIER_nondet_uint();
    if (size < 1 || size > 1000000 || room > 1000000 || room + 1 < size)
        return 0;
    char *from = malloc(size), *to = malloc(room);
    memset(from, 'a', size);
    from[size - 1] = 0;
    copy(to, from);
    free(to);
    free(from);
    return 0;
}
