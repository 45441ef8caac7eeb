#include <assert.h>

extern int __VERIFIER_nondet_int(void);

/* A ring of samples, and the sum of those in it. */
#define SIZE 8
static int ring[SIZE];
static int next;
static int sum;

static int clamp(int value)
{
    if (value < 0)
        return 0;
    if (value > 100)
        return 100;
    return value;
}

static void put(int value)
{
    sum -= ring[next];
    ring[next] = clamp(value);
    sum += value;          /* should be what was put */
    next = (next + 1) % SIZE;
}

int main(void)
{
    for (int i = 0; i < SIZE; i++)
        ring[i] = 0;
    int reading = 50;
    while (__VERIFIER_nondet_int()) {
        reading += __VERIFIER_nondet_int() % 64;
        put(reading);
        assert(sum <= SIZE * 100);
    }
    return 0;
}
