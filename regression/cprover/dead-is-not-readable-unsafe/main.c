#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    free(p);
    __CPROVER_assert(__CPROVER_w_ok(p), "freed");
}
