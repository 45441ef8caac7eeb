#include <stdint.h>
extern void reach_error(void);

static int a[4], b[4];

int main(void)
{
    int x = 7;
    uintptr_t tagged = (uintptr_t)&x | 1;
    int *p = (int *)(tagged & ~(uintptr_t)1);
    if (*p != 7)
        reach_error();
    return 0;
}
