#include <string.h>

extern void reach_error(void);

static long double half = 0.5L;

// The C library may give any negative number.
int main(void) {
    char a[4] = "abc";
    a[1] += (int)(half * 2);
    if (strcmp("abc", a) != -1)
        reach_error();
    return 0;
}
