#include <assert.h>
#include <errno.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[22] = "9223372036854775800";
    char last = __VERIFIER_nondet_char();
    text[18] = last;
    errno = 0;
    long number = strtol(text, 0, 10);
    assert(errno == 0);
    return 0;
}
