#include <string.h>

extern void reach_error(void);

static long double half = 0.5L;

// Less than 0 is promised, and no more.
int main(void) {
    char a[4] = "abc";
    a[1] += (int)(half * 2);
    if (strcmp("abc", a) >= 0)
        reach_error();
    return 0;
}
