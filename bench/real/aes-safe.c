// One block and a key with two arbitrary bytes each: no access goes astray, and the key is left as it is.
// library: tiny-AES-c
// sources: aes.c
// include: .
// holds: unreach-call memory-safety
// unwind: 200
// bug schedule memory-safety aes.c: k = (i - 1) * 4; => k = (i + 9) * 4;
#include "aes.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    uint8_t key[16] = {1, 2, 3}, block[16] = {4, 5, 6};
    key[0] = __VERIFIER_nondet_uchar();
    key[7] = __VERIFIER_nondet_uchar();
    block[0] = __VERIFIER_nondet_uchar();
    block[9] = __VERIFIER_nondet_uchar();
    uint8_t first = key[0];
    struct AES_ctx context;
    AES_init_ctx(&context, key);
    AES_ECB_encrypt(&context, block);
    assert(key[0] == first);
    return 0;
}
