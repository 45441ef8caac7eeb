#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct half { char bytes[4]; };
struct pair { int *first, *second; char text[8]; };

int main(void)
{
    int x = 1, *y = malloc(sizeof *y);
    struct pair *pair = malloc(sizeof *pair);
    if (!y || !pair)
        return 0;
    *y = 2;
    pair->first = &x;
    pair->second = y;
    unsigned i = __VERIFIER_nondet_uint();
    pair->text[i % 8] = 1;
    *(struct half *)&pair->first = *(struct half *)&pair->second;
    int result = *pair->first;
    free(pair);
    free(y);
    return result;
}
