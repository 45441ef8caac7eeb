#include <assert.h>

int main(void)
{
    unsigned low, high;
    asm volatile("rdtsc" : "=a"(low), "=d"(high));
    unsigned long long ticks = (unsigned long long)high << 32 | low;
    assert((unsigned)ticks == low);
    return 0;
}
