#include <string.h>
extern void reach_error(void);

int main(void)
{
    char a[] = "a", c[] = "c";
    int order = strcmp(a, c);
    if (order >= 0 || strcmp(a, a) != 0 || memcmp(c, a, 1) <= 0)
        reach_error();
    return 0;
}
