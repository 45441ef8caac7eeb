// A list of heap nodes is filled at arbitrary ends and destroyed.
// library: list
// sources: src/list.c src/list_node.c src/list_iterator.c
// include: src
// holds: unreach-call memory-safety valid-memtrack
// unwind: 8
// bug length unreach-call src/list.c#1: ++self->len; => self->len += 2;
// bug destroy memory-safety src/list.c: next = curr->next; => next = curr;
#include "list.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[4];
    list_t *list = list_new();
    if (!list)
        return 0;
    for (int i = 0; i < 4; i++) {
        list_node_t *node = list_node_new(&values[i]);
        if (node)
            __VERIFIER_nondet_int() ? list_rpush(list, node) : list_lpush(list, node);
    }
    assert(list->len <= 4);
    list_node_t *found = list_find(list, &values[2]);
    assert(!found || found->val == &values[2]);
    list_destroy(list);
    return 0;
}
