#include <string.h>

extern void reach_error(void);

int main(void)
{
    if (strcmp("a", "b") >= 0)
        reach_error();
    return 0;
}
