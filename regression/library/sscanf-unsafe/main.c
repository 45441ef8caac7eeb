#include <assert.h>
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[4] = { '1', __VERIFIER_nondet_char(), '2', 0 };
    int a = 0, b = 0;
    int read = sscanf(text, "%d,%d", &a, &b);
    assert(b != 2);
    return 0;
}
