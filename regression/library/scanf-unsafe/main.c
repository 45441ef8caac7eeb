#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 1;
    char word[4];
    if (scanf("%d %3s", &a, word) != 2)
        return 0;
    assert(a != 4711);
    return 0;
}
