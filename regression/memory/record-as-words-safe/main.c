#include <stdint.h>
#include <string.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct list { void *data; size_t size; int length; char tag; };

static int zero(const void *record, size_t size)
{
    const uint64_t *words = record;
    size_t rounds = size / 8, i;
    for (i = 0; i < rounds; ++i)
        if (words[i])
            return 0;
    record = words + rounds;
    size = size % 8;
    const uint8_t *bytes = record;
    for (i = 0; i < size; i++)
        if (bytes[i])
            return 0;
    return 1;
}

int main(void)
{
    struct list l;
    memset(&l, 0, sizeof l);
    l.data = &l;
    l.size = 8;
    l.length = __VERIFIER_nondet_int();
    if (zero(&l, sizeof l))
        reach_error();
    return 0;
}
