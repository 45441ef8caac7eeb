#include <stdint.h>
extern void reach_error(void);

static int a[4], b[4];

int main(void)
{
    uintptr_t p = (uintptr_t)a, q = (uintptr_t)b;
    if ((p < q) == (q < p))
        reach_error();
    return 0;
}
