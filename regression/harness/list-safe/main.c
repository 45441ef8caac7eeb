#include <stdlib.h>
struct node { int value; struct node *next; };
struct list { struct node *head; unsigned count; int (*cmp)(int, int); };
static int limit = 7;
int less(int a, int b) { return a < b; }
int push(struct list *l, int v)
{
    static int calls = 0;
    calls++;
    if (l->count >= (unsigned)limit)
        return -1;
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->next = l->head;
    l->head = n;
    l->count++;
    if (l->cmp && l->cmp(v, 3) && calls == 5 && limit == 9)
        return l->head->next->value;
    return 0;
}
int main(void) { return 0; }
