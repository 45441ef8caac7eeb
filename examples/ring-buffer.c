/* The indices of a ring buffer, without its memory: head is where the next element is written, tail where the next one
   is read. They run freely and wrap around; only their difference and their low bits count. So size may be computed by
   unsigned subtraction as long as the capacity is a power of two.

       tamis check ring-buffer.c                   proves that the buffer is never over-full nor read when empty
       tamis check ring-buffer.c -D CAPACITY=6     finds that with another capacity the indices jump at the wrap-around */

#include <assert.h>

#ifndef CAPACITY
#define CAPACITY 8
#endif

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    /* Close to the wrap-around. */
    unsigned char head = 250, tail = 250;

    for (;;) {
        unsigned char size = head - tail;
        assert(size <= CAPACITY);

        if (__VERIFIER_nondet_int()) {
            if (size == CAPACITY)
                continue;
            unsigned char before = head % CAPACITY;
            head++;
            assert(head % CAPACITY == (before + 1) % CAPACITY);
        } else {
            if (size == 0)
                continue;
            tail++;
        }
    }
}
