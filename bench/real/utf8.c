// A valid text of four arbitrary bytes: its length in characters, and its validity.
// library: utf8.h
// sources:
// include: .
// holds: unreach-call memory-safety
// unwind: 8
// bug two unreach-call utf8.h#3: 0xfffff800 => 0xfffffc00
#include "utf8.h"
#include <assert.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5] = {0};
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    if (utf8valid(text))
        return 0;
    size_t n = utf8len(text), bytes = utf8size(text);
    assert(n <= 4 && n < bytes);
    int c;
    void *next = utf8codepoint(text, &c);
    assert(n == 0 || (char *)next - text <= 4);
    assert(n == 0 || utf8codepointsize(c) == (size_t)((char *)next - text));
    return 0;
}
