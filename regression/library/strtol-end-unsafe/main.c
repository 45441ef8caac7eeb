#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[3] = { __VERIFIER_nondet_char(), '7', 0 }, *end;
    long number = strtol(text, &end, 0);
    assert(number != 7 || end != text + 2);
    return 0;
}
