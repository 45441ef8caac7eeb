#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(1);
    int x = rand();
    assert(x != 12345);
    return 0;
}
