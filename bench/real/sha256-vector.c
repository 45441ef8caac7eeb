// The first example of FIPS 180, without any input.
// library: crypto-algorithms
// sources: sha256.c
// include: .
// holds: unreach-call memory-safety
// unwind: 70
// bug rotation unreach-call sha256.c: #define EP0(x) (ROTRIGHT(x,2) => #define EP0(x) (ROTRIGHT(x,3)
// bug padding memory-safety sha256.c: while (i < 56) => while (i < 156)
#include "sha256.h"
#include <assert.h>

int main(void) {
    static const BYTE expected[SHA256_BLOCK_SIZE] = {
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
        0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};
    BYTE text[] = "abc", hash[SHA256_BLOCK_SIZE];
    SHA256_CTX context;
    sha256_init(&context);
    sha256_update(&context, text, 3);
    sha256_final(&context, hash);
    for (int i = 0; i < SHA256_BLOCK_SIZE; i++)
        assert(hash[i] == expected[i]);
    return 0;
}
