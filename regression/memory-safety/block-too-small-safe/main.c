#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

int main(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = 0;
    n->data = __VERIFIER_nondet_int();
    free(n);
    return 0;
}
