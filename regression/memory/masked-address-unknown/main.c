#include <stdint.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct page { int number; char bytes[60]; };
static struct page page __attribute__((aligned(64))) = {7};

int main(void)
{
    uintptr_t mask = ~(uintptr_t)(__VERIFIER_nondet_uint() | 63);
    char *at = &page.bytes[9];
    struct page *found = (struct page *)((uintptr_t)at & mask);
    if (found == &page && page.number != 7)
        reach_error();
    return 0;
}
