#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[4] = { 'a', __VERIFIER_nondet_char(), __VERIFIER_nondet_char(), 0 };
    char *at = strstr(text, "ab");
    assert(!at || (at[0] == 'a' && at[1] == 'b'));
    return 0;
}
