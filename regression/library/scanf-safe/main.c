#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 1;
    char word[4];
    if (scanf("%d %3s", &a, word) != 2)
        return 0;
    assert(word[0] != ' ' && (!word[0] || !word[1] || !word[2] || !word[3]));
    return 0;
}
