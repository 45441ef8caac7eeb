#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct pair { int *first, *second; char text[8]; };

int main(void)
{
    int x = 1, *z = malloc(4);
    if (!z)
        return 0;
    struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    a->first = b->second = &x;
    a->second = b->first = z;
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 16)
        return 0;
    a->text[length % 8] = 1;
    memcpy(b, a, length);
    int result = *b->first + *b->second;
    free(a);
    free(b);
    free(z);
    return result;
}
