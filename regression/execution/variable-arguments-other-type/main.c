#include <stdarg.h>

extern void reach_error(void);

// What is above the 32 bits of an int argument is for the compiler to choose.
static long first(int count, ...) {
    va_list list;
    va_start(list, count);
    long value = va_arg(list, long);
    va_end(list);
    return value;
}

int main(void) {
    if (first(1, -1) != -1)
        reach_error();
    return 0;
}
