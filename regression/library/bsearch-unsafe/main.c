#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void)
{
    static const unsigned char a[3] = { 2, 4, 6 };
    unsigned char key = __VERIFIER_nondet_int();
    const unsigned char *found = bsearch(&key, a, 3, 1, compare);
    assert(found != a + 2);
    return 0;
}
