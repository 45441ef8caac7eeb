#include <string.h>

extern void reach_error(void);

struct record {
    char c;
    int i;
};

static long double half = 0.5L;

// The members are copied.
int main(void) {
    struct record a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 1, sizeof b);
    a.i = (int)(half * 4);
    b = a;
    if (b.c != 0 || memcmp(&a.i, &b.i, sizeof a.i) != 0 || b.i != 2)
        reach_error();
    return 0;
}
