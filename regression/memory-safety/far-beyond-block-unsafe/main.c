#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

char table[5] = "abcd";
char other[300];

struct wide {
    char padding[100];
    int last;
};

int get(int *p, int i)
{
    return p[i];
}

int got(int *p, int i)
{
    return p[i];
}

int main(void)
{
    int near[4] = { 0 }, far[200] = { 0 };
    int *block = malloc(4 * sizeof(int)), *beside = malloc(200 * sizeof(int));
    struct wide some[4], more[8];
    block[3] = beside[150] = 0;
    some[3].last = more[0].last = 0;
    switch (__VERIFIER_nondet_int()) {
    case 0:
        return table[3] + other[0];
    case 1:
        return get(near, 3) + far[0];
    case 2:
        return got(block, 30) + beside[150];
    case 3:
        return some[__VERIFIER_nondet_int() ? 3 : 3].last + more[0].last;
    }
    return 0;
}
