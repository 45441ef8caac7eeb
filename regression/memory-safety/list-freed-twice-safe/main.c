#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *list = 0, *new;
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 3)
        return 0;
    for (int i = 0; i < n; i++) {
        new = malloc(sizeof *new);
        new->next = list;
        list = new;
    }
    while (list) {
        new = list->next;
        free(list);
        list = new;
    }
    return 0;
}
