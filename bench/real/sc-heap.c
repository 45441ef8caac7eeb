// What comes off a heap comes in order.
// library: sc
// sources: heap/sc_heap.c
// include: heap
// holds: unreach-call memory-safety
// unwind: 8
#include "sc_heap.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    struct sc_heap heap;
    int data;
    if (!sc_heap_init(&heap, 4))
        return 0;
    for (int i = 0; i < 4; i++)
        if (!sc_heap_add(&heap, __VERIFIER_nondet_int(), &data))
            return 0;
    assert(sc_heap_size(&heap) == 4);
    int64_t last = INT64_MIN;
    for (int i = 0; i < 4; i++) {
        struct sc_heap_data *top = sc_heap_pop(&heap);
        assert(top && top->key >= last && top->data == &data);
        last = top->key;
    }
    assert(!sc_heap_pop(&heap));
    sc_heap_term(&heap);
    return 0;
}
