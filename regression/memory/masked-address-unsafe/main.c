#include <stdint.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct cursor { unsigned char *at; unsigned left; };

int main(void)
{
    unsigned char text[4] = {1, 2, 3, 4};
    struct cursor cursor = {text, 4};
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 4)
        return 0;
    uintptr_t mask = -(uintptr_t)(i < 3);
    cursor.at = (unsigned char *)((uintptr_t)cursor.at & mask);
    if (cursor.at != text || cursor.at[i] != i + 1)
        reach_error();
    return 0;
}
