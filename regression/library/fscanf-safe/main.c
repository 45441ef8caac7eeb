#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a = 1;
    FILE *file = fopen("x", "r");
    if (!file)
        return 0;
    int read = fscanf(file, " %d", &a);
    fclose(file);
    assert(read == 1 || a == 1);
    return 0;
}
