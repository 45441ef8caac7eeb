#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct pair { int *first, *second; char text[8]; };

int main(void)
{
    int x = 1, y = 2;
    struct pair *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    if (!a || !b)
        return 0;
    a->first = b->second = &x;
    a->second = b->first = &y;
    unsigned length = __VERIFIER_nondet_uint();
    if (length > 16 || length % 8)
        return 0;
    a->text[length % 8] = 1;
    memcpy(b, a, length);
    int result = *b->first + *b->second;
    free(a);
    free(b);
    return result;
}
