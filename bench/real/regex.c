// A pattern against four arbitrary characters: what matches is within them, and begins as the pattern says.
// library: tiny-regex-c
// sources: re.c
// include: .
// holds: unreach-call memory-safety
// unwind: 41
// bug length unreach-call re.c: *matchlength = 0; => *matchlength = 9;
#include "re.h"
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    text[4] = 0;
    int length = 0;
    int at = re_match("a[0-9]", text, &length);
    assert(at >= -1 && at < 4);
    if (at >= 0) {
        assert(text[at] == 'a');
        assert(length == 2 && at + length <= 4);
    }
    return 0;
}
