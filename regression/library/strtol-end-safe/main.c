#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[3] = { __VERIFIER_nondet_char(), '7', 0 }, *end;
    long number = strtol(text, &end, 0);
    assert((end == text) == !(text[0] == ' ' || (text[0] >= '\t' && text[0] <= '\r') || text[0] == '+' || text[0] == '-' || (text[0] >= '0' && text[0] <= '9')));
    return 0;
}
