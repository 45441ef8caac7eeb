// One to four arbitrary bytes are encoded and decoded again.
// library: crypto-algorithms
// sources: base64.c
// include: .
// holds: unreach-call memory-safety
// unwind: 10
// bug shift unreach-call base64.c: out[idx2 + 1] = charset[(in[idx] & 0x03) << 4]; => out[idx2 + 1] = charset[(in[idx] & 0x01) << 4];
// bug table memory-safety base64.c: charset[in[idx + 2] & 0x3F] => charset[in[idx + 2]]
#include "base64.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    BYTE in[4], text[8], out[6];
    unsigned length = 1 + __VERIFIER_nondet_uchar() % 4;
    for (unsigned i = 0; i < length; i++)
        in[i] = __VERIFIER_nondet_uchar();
    size_t encoded = base64_encode(in, text, length, 0);
    assert(encoded == (length + 2) / 3 * 4);
    size_t decoded = base64_decode(text, out, encoded);
    assert(decoded == length);
    for (unsigned i = 0; i < length; i++)
        assert(in[i] == out[i]);
    return 0;
}
