#include <string.h>

extern void reach_error(void);

struct record {
    char c;
    int i;
};

static long double half = 0.5L;

// A copy of a record need not have its padding.
int main(void) {
    struct record a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 1, sizeof b);
    a.i = (int)(half * 4);
    b = a;
    if (memcmp(&a, &b, sizeof a) != 0)
        reach_error();
    return 0;
}
