#include <stdlib.h>

int main(void)
{
    int *p = malloc(4 * sizeof *p);
    p[3] = 1;
    p = realloc(p, 2 * sizeof *p);
    p[2] = 2;
    free(p);
    return 0;
}
