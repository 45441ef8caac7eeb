#include <string.h>
extern void reach_error(void);

int main(void)
{
    char a[] = "a", c[] = "c";
    if (strcmp(a, c) == -1)
        reach_error();
    return 0;
}
