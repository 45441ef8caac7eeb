// A small number in decimal digits, in a buffer of an arbitrary size.
// library: printf
// sources: printf.c
// include: .
// define: PRINTF_DISABLE_SUPPORT_FLOAT PRINTF_DISABLE_SUPPORT_EXPONENTIAL
// holds: unreach-call memory-safety
// unwind: 36
// bug room memory-safety printf.c: if (idx < maxlen) { => if (idx <= maxlen) {
#include "printf.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
void _putchar(char c) {
    (void)c;
}

int main(void) {
    char text[6];
    unsigned n = __VERIFIER_nondet_uchar(), room = __VERIFIER_nondet_uchar() % 7;
    int length = snprintf_(text, room, "[[%u]]", n);
    assert(length == (n < 10 ? 5 : n < 100 ? 6 : 7));
    if (room == 6 && length < 6) {
        assert(text[1] == '[' && text[length] == 0);
        unsigned value = 0;
        for (int i = 2; text[i] != ']'; i++)
            value = 10 * value + (unsigned)(text[i] - '0');
        assert(value == n);
    }
    return 0;
}
