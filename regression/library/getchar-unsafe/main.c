#include <assert.h>
#include <stdio.h>

int main(void)
{
    int c = getchar();
    assert(c != 'q');
    return 0;
}
