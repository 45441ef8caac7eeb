// The example of FIPS 197: one block, without any input.
// library: tiny-AES-c
// sources: aes.c
// include: .
// holds: unreach-call memory-safety
// unwind: 200
// bug rounds unreach-call aes.c: if (round == Nr) { => if (round == Nr - 1) {
// bug column memory-safety aes.c: (*state)[0][1] = (*state)[1][1]; => (*state)[0][1] = (*state)[4][1];
#include "aes.h"
#include <assert.h>

int main(void) {
    static const uint8_t key[16] = {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
                                    0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};
    static const uint8_t expected[16] = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                                         0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
    uint8_t block[16];
    for (int i = 0; i < 16; i++)
        block[i] = (uint8_t)(i * 0x11);
    struct AES_ctx context;
    AES_init_ctx(&context, key);
    AES_ECB_encrypt(&context, block);
    for (int i = 0; i < 16; i++)
        assert(block[i] == expected[i]);
    AES_ECB_decrypt(&context, block);
    for (int i = 0; i < 16; i++)
        assert(block[i] == i * 0x11);
    return 0;
}
