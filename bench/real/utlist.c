// A doubly linked list loses an element.
// library: uthash
// include: src
// holds: unreach-call memory-safety
// unwind: 8
// bug delete unreach-call src/utlist.h#1: (del)->prev->next = (del)->next; => (del)->prev->next = (del);
#include "utlist.h"
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

typedef struct node {
    int key;
    struct node *prev, *next;
} node;

int main(void) {
    node nodes[3], *head = NULL, *at;
    for (int i = 0; i < 3; i++) {
        nodes[i].key = __VERIFIER_nondet_int();
        DL_APPEND(head, &nodes[i]);
    }
    int count;
    DL_COUNT(head, at, count);
    assert(count == 3);
    assert(head->prev == &nodes[2]);
    DL_DELETE(head, &nodes[1]);
    DL_COUNT(head, at, count);
    assert(count == 2 && head == &nodes[0] && head->next == &nodes[2]);
    return 0;
}
