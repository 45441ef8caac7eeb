// A vector grows, and has what was pushed.
// library: klib
// include: .
// holds: unreach-call memory-safety
// unwind: 8
// bug grow memory-safety kvec.h: if ((v).n == (v).m) { => if ((v).n > (v).m) {
#include "kvec.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    kvec_t(int) v;
    kv_init(v);
    int values[5];
    for (int i = 0; i < 5; i++) {
        values[i] = __VERIFIER_nondet_int();
        kv_push(int, v, values[i]);
    }
    assert(kv_size(v) == 5);
    for (int i = 4; i >= 0; i--)
        assert(kv_pop(v) == values[i]);
    kv_destroy(v);
    return 0;
}
