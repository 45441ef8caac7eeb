#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[4] = { 'a', __VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0 };
    char *at = strstr(text, "ab");
    assert(at != text + 1);
    return 0;
}
