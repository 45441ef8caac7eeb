#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int n = 0;
    printf("%d\n", n);
    if (n)
        reach_error();
    return 0;
}
