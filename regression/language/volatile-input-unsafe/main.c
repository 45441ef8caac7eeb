#include <assert.h>

volatile unsigned char status;

int main(void)
{
    while (!(status & 0x80))
        ;
    unsigned char seen = status;
    assert(seen & 0x80);
    return 0;
}
