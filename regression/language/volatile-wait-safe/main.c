#include <assert.h>

volatile unsigned char status;

int main(void)
{
    while (!status)
        ;
    assert(status != 7);
    return 0;
}
