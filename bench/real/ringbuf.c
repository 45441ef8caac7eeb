// Bytes that are put into a ring buffer come out again, also where it wraps around.
// library: c-ringbuf
// sources: ringbuf.c
// include: .
// holds: unreach-call memory-safety
// unwind: 10
// bug end memory-safety ringbuf.c: rb->buf = malloc(rb->size); => rb->buf = malloc(rb->size - 1);
#include "ringbuf.h"
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    ringbuf_t rb = ringbuf_new(4);
    if (!rb)
        return 0;
    unsigned char in[3], out[3];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++)
            in[i] = __VERIFIER_nondet_uchar();
        ringbuf_memcpy_into(rb, in, 3);
        assert(ringbuf_bytes_used(rb) == 3);
        ringbuf_memcpy_from(out, rb, 3);
        assert(ringbuf_is_empty(rb));
        for (int i = 0; i < 3; i++)
            assert(in[i] == out[i]);
    }
    ringbuf_free(&rb);
    return 0;
}
