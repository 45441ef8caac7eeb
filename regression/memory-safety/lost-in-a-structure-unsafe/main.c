#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct device { int *data; } device;

int main(void)
{
    device.data = malloc(4);
    if (__VERIFIER_nondet_int())
        device.data = 0;
    return 0;
}
