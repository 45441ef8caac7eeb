#include <assert.h>
#include <ctype.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    unsigned char c = __VERIFIER_nondet_char();
    if (isxdigit(c) && !isdigit(c))
        assert(isalpha(c) && toupper(c) >= 'A' && toupper(c) <= 'F');
    return 0;
}
