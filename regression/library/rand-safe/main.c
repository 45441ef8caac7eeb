#include <assert.h>
#include <stdlib.h>

int main(void)
{
    srand(1);
    int x = rand();
    assert(x >= 0);
    return 0;
}
