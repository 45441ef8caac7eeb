#include <assert.h>
#include <stdio.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[4] = { '1', __VERIFIER_nondet_char(), '2', 0 };
    int a = 0, b = 0;
    int read = sscanf(text, "%d,%d", &a, &b);
    assert(read >= 1 && (read == 2) == (text[1] == ','));
    return 0;
}
