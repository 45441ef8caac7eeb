#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct entry { int *value; char text[8]; };

int main(void)
{
    int value = 1;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        return 0;
    entry->value = &value;
    int i = __VERIFIER_nondet_int();
    if (i >= 8 && i < 16)
        ((char *)entry)[i] = 5;
    int result = *entry->value;
    free(entry);
    return result;
}
