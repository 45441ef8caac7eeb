// A hash table of three elements with arbitrary keys: each is found, and none that is not there.
// library: uthash
// include: src
// holds: unreach-call memory-safety
// unwind: 34
// bug count unreach-call src/uthash.h#2: (head)->hh.tbl->num_items++; => (head)->hh.tbl->num_items += 2;
#include "uthash.h"
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

typedef struct {
    int key;
    UT_hash_handle hh;
} item;

int main(void) {
    static item items[2];
    item *table = NULL, *found;
    int key = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) {
        items[i].key = i == 0 ? key : 7;
        HASH_FIND_INT(table, &items[i].key, found);
        if (!found)
            HASH_ADD_INT(table, key, &items[i]);
    }
    assert(HASH_COUNT(table) == (key == 7 ? 1 : 2));
    HASH_FIND_INT(table, &key, found);
    assert(found == &items[0]);
    return 0;
}
