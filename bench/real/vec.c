// Elements are pushed and one is inserted at an arbitrary place: the others keep their order.
// library: vec
// sources: src/vec.c
// include: src
// holds: unreach-call memory-safety valid-memtrack
// unwind: 20
// bug move unreach-call src/vec.c: memmove(*data + (idx + 1) * memsz, => memmove(*data + idx * memsz,
// bug expand memory-safety src/vec.c: if (*length + 1 > *capacity) { => if (*length > *capacity) {
#include "vec.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    vec_t(int) v;
    vec_init(&v);
    int first = __VERIFIER_nondet_int(), new = __VERIFIER_nondet_int(), at = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++)
        if (vec_push(&v, first ^ i))
            return 0;
    if (at < 0 || at > 4)
        at = 0;
    if (vec_insert(&v, at, new))
        return 0;
    assert(v.length == 5);
    for (int i = 0; i < 5; i++)
        assert(v.data[i] == (i < at ? first ^ i : i == at ? new : first ^ (i - 1)));
    vec_deinit(&v);
    return 0;
}
