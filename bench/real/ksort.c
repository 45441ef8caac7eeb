// Five arbitrary numbers are sorted.
// library: klib
// include: .
// holds: unreach-call memory-safety
// unwind: 12
#include "ksort.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define less(a, b) ((a) < (b))
KSORT_INIT(small, int, less)

int main(void) {
    int numbers[5];
    for (int i = 0; i < 5; i++)
        numbers[i] = __VERIFIER_nondet_int();
    ks_heapmake_small(5, numbers);
    ks_heapsort_small(5, numbers);
    for (int i = 0; i < 4; i++)
        assert(numbers[i] <= numbers[i + 1]);
    return 0;
}
