#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    char text[4] = { 'a', __VERIFIER_nondet_char(), 'b', 0 };
    int count = 0;
    for (char *word = strtok(text, ","); word; word = strtok(0, ","))
        count++;
    assert(count == 1 || count == 2);
    return 0;
}
