// A queue takes and gives elements at both ends, as an array model does.
// library: sc
// include: queue
// holds: unreach-call memory-safety
// unwind: 10
// bug wrap unreach-call queue/sc_queue.h: (q)->first = ((q)->first - 1) & ((q)->cap - 1); => (q)->first = ((q)->first - 2) & ((q)->cap - 1);
#include "sc_queue.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

sc_queue_def(int, numbers);

int main(void) {
    struct sc_queue_numbers q;
    int model[16], first = 8, last = 8;
    sc_queue_init(&q);
    for (int i = 0; i < 5; i++) {
        int value = __VERIFIER_nondet_int();
        if (__VERIFIER_nondet_int()) {
            sc_queue_add_last(&q, value);
            model[last++] = value;
        } else {
            sc_queue_add_first(&q, value);
            model[--first] = value;
        }
        if (sc_queue_oom(&q))
            return 0;
    }
    assert(sc_queue_size(&q) == 5);
    for (int i = 0; i < 5; i++)
        assert(sc_queue_del_first(&q) == model[first + i]);
    assert(sc_queue_empty(&q));
    sc_queue_term(&q);
    return 0;
}
