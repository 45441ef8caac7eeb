#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[3] = { 'k', __VERIFIER_nondet_char(), 0 };
    assert(strspn(text, "k") + strcspn(text, "k") <= 2 && strpbrk(text, "k") == text);
    return 0;
}
