#include <stdlib.h>
extern void reach_error(void);

int main(void)
{
    char *p = malloc(20);
    if (__builtin_object_size(p, 0) == 20)
        reach_error();
    return 0;
}
