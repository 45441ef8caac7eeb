#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[3] = { 'k', __VERIFIER_nondet_char(), 0 };
    assert(strspn(text, "kl") == 1);
    return 0;
}
