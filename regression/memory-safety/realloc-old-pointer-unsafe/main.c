#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p), *q = p;
    *p = 1;
    p = realloc(p, 2 * sizeof *p);
    *q = 2;
    free(p);
    return 0;
}
