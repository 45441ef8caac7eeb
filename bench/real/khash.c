// A hash table of two arbitrary keys.
// library: klib
// include: .
// holds: unreach-call memory-safety
// unwind: 34
#include "khash.h"
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

KHASH_MAP_INIT_INT(m, int)

int main(void) {
    khash_t(m) *h = kh_init(m);
    if (!h)
        return 0;
    unsigned keys[2];
    int absent;
    for (int i = 0; i < 2; i++) {
        keys[i] = __VERIFIER_nondet_uint();
        khint_t at = kh_put(m, h, keys[i], &absent);
        if (absent < 0)
            return 0;
        kh_value(h, at) = i;
    }
    assert(kh_size(h) == (keys[0] == keys[1] ? 1 : 2));
    khint_t at = kh_get(m, h, keys[1]);
    assert(at != kh_end(h) && kh_value(h, at) == 1);
    kh_destroy(m, h);
    return 0;
}
