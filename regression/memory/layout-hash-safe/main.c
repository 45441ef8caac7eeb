#include <stdint.h>
extern void reach_error(void);

static int a[4], b[4];

int main(void)
{
    if ((uintptr_t)a / 16 % 8 != (uintptr_t)&a[0] / 16 % 8)
        reach_error();
    return 0;
}
