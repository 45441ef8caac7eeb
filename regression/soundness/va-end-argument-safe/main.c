#include <stdarg.h>
extern void reach_error(void);

int first(int count, ...)
{
    va_list lists[2], *list = lists;
    va_start(lists[0], count);
    va_end(*list++);
    return list - lists;
}

int main(void)
{
    if (first(1, 2) != 1)
        reach_error();
    return 0;
}
