#include <assert.h>

typedef unsigned u32;
typedef unsigned long u64;
extern u32 __VERIFIER_nondet_uint(void);
extern u64 __VERIFIER_nondet_ulong(void);

static u32 rotated(u32 x)
{
    asm("roll $8, %0" : "+r"(x) : : "cc");
    return x;
}

static int highest(u64 x)
{
    u64 at;
    asm("bsrq %1, %0" : "=r"(at) : "rm"(x) : "cc");
    return at;
}

static int lowest(u32 x)
{
    u32 at;
    asm("bsfl %1, %0" : "=r"(at) : "r"(x));
    return at;
}

static int fetch_and_add(int *p, int n)
{
    asm volatile("lock; xaddl %0, %1" : "+r"(n), "+m"(*p) : : "memory");
    return n;
}

static u32 compare_and_swap(u32 *p, u32 old, u32 new)
{
    u32 found;
    asm volatile("lock cmpxchgl %2, %1" : "=a"(found), "+m"(*p) : "r"(new), "0"(old) : "memory", "cc");
    return found;
}

static int swapped(u32 *p, u32 old, u32 new)
{
    unsigned char done;
    asm volatile("lock; cmpxchgl %3, %1\n\tsete %0" : "=q"(done), "+m"(*p), "+a"(old) : "r"(new) : "memory", "cc");
    return done;
}

static u64 high_product(u64 a, u64 b)
{
    u64 low, high;
    asm("mulq %3" : "=a"(low), "=d"(high) : "a"(a), "rm"(b) : "cc");
    return high;
}

static void add_wide(u64 *high, u64 *low, u64 more_high, u64 more_low)
{
    asm("addq %3, %1\n\tadcq %2, %0" : "+&r"(*high), "+&r"(*low) : "r"(more_high), "r"(more_low) : "cc");
}

static int carries(u32 a, u32 b)
{
    int carry;
    asm("addl %[b], %[a]" : [a] "+r"(a), "=@ccc"(carry) : [b] "r"(b));
    return carry;
}

int main(void)
{
    u32 x = __VERIFIER_nondet_uint();
    u64 y = __VERIFIER_nondet_ulong(), z = __VERIFIER_nondet_ulong();
    assert(rotated(x) == (x << 8 | x >> 24));
    if (y)
        assert(highest(y) == 63 - __builtin_clzl(y));
    if (x)
        assert(lowest(x) == __builtin_ctz(x));
    int count = 3;
    assert(fetch_and_add(&count, 4) == 3 && count == 7);
    u32 lock = x;
    assert(compare_and_swap(&lock, 5, 6) == x && lock == (x == 5 ? 6 : x));
    lock = x;
    assert(swapped(&lock, 5, 6) == (x == 5) && lock == (x == 5 ? 6 : x));
    assert(high_product(x, 1ul << 60) == x >> 4);
    u64 high = y, low = z;
    add_wide(&high, &low, 1, x);
    unsigned __int128 whole = ((unsigned __int128)y << 64 | z) + ((unsigned __int128)1 << 64 | x);
    assert(high == (u64)(whole >> 64) && low == (u64)whole);
    assert(carries(x, 1) == (x + 1 == 0));
    asm volatile("lock; incl %0" : "+m"(count));
    asm("negl %0\n\tnotl %0" : "+r"(count));
    assert(count == 7);
    asm("xchgl %0, %1" : "+r"(count), "+m"(lock));
    assert(lock == 7);
    return 0;
}
