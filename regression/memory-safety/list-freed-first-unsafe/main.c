#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *list = 0;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    while (n-- > 0) {
        struct node *new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    while (list) {
        struct node *next = list;
        free(list);
        list = next->next;
    }
    return 0;
}
