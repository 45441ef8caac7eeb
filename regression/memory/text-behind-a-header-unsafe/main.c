#include <stdlib.h>
#include <string.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; int *value; };

int main(void)
{
    unsigned length = __VERIFIER_nondet_uint();
    if (length < 1 || length > 4)
        return 0;
    int value = 7;
    struct node *node = malloc(sizeof *node + length);
    if (!node)
        return 0;
    char *key = (char *)(node + 1);
    memcpy(key, "abcd", length);
    node->next = 0;
    node->value = &value;
    for (unsigned i = 0; i < length; i++)
        if (key[i] == (char)(97 + i) && i == 3)
            reach_error();
    if (*node->value != 7 || node->next)
        reach_error();
    free(node);
    return 0;
}
