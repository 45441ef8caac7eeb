// What is encrypted twice with one key is as it was, for any two bytes of plain text.
// library: crypto-algorithms
// sources: arcfour.c
// include: .
// holds: unreach-call memory-safety
// unwind: 260
// bug modulus unreach-call arcfour.c: i = (i + 1) % 256; => i = (i + 2) % 256;
#include "arcfour.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const BYTE key[3] = {'K', 'e', 'y'};
    BYTE state[256], stream[2], again[2], text[2], cipher[2];
    arcfour_key_setup(state, key, 3);
    arcfour_generate_stream(state, stream, 2);
    arcfour_key_setup(state, key, 3);
    arcfour_generate_stream(state, again, 2);
    assert(stream[0] == 0xEB && stream[1] == 0x9F);
    for (int i = 0; i < 2; i++) {
        text[i] = __VERIFIER_nondet_uchar();
        cipher[i] = text[i] ^ stream[i];
        assert((cipher[i] ^ again[i]) == text[i]);
    }
    return 0;
}
