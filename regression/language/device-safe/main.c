#include <assert.h>

struct device {
    unsigned control, status, data[4];
};
#define DEVICE ((volatile struct device *)0x40001000)

int main(void)
{
    DEVICE->control |= 1;
    while (!(DEVICE->status & 1))
        ;
    unsigned data = DEVICE->data[2] & 0xff;
    assert(data < 256);
    return 0;
}
