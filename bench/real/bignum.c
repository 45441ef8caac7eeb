// Numbers of 32 bits: sums and differences are those of numbers of 64 bits.
// library: tiny-bignum-c
// sources: bn.c
// include: .
// holds: unreach-call memory-safety
// unwind: 40
// bug carry unreach-call bn.c: carry = (tmp > MAX_VAL); => carry = (tmp >= MAX_VAL);
#include "bn.h"
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    struct bn a, b, c, d;
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    bignum_init(&c);
    bignum_init(&d);
    bignum_from_int(&a, x);
    bignum_from_int(&b, y);
    bignum_add(&a, &b, &c);
    assert(c.array[0] == x + y && c.array[1] == (x + y < x));
    bignum_sub(&c, &b, &d);
    assert(bignum_cmp(&d, &a) == EQUAL);
    bignum_inc(&a);
    assert(bignum_cmp(&d, &a) == SMALLER);
    return 0;
}
