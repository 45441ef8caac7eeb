#include <assert.h>
int main(void)
{
    int x = 1;
    asm("" : "=r"(x));
    assert(x == 1);
    return 0;
}
