#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[3] = { '1', __VERIFIER_nondet_char(), 0 };
    int number = atoi(text);
    assert(number >= 1 && number <= 19);
    return 0;
}
