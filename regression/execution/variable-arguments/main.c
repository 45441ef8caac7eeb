#include <stdarg.h>

extern void reach_error(void);

static int sum(int count, ...) {
    va_list list;
    va_start(list, count);
    int sum = 0;
    while (count-- > 0)
        sum += va_arg(list, int);
    va_end(list);
    return sum;
}

int main(void) {
    if (sum(3, 4, 5, 6) != 15)
        reach_error();
    return 0;
}
