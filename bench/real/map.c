// Three keys of one arbitrary character each: what was put in last is found.
// library: map
// sources: src/map.c
// include: src
// holds: unreach-call memory-safety
// unwind: 10
// bug hash unreach-call src/map.c: if ((*next)->hash == hash => if ((*next)->hash != hash
// bug bucket memory-safety src/map.c: return hash & (m->nbuckets - 1); => return hash & m->nbuckets;
#include "map.h"
#include <assert.h>
#include <stdlib.h>

extern char __VERIFIER_nondet_char(void);

int main(void) {
    map_int_t m;
    map_init(&m);
    char keys[3][2] = {{0}};
    for (int i = 0; i < 3; i++) {
        keys[i][0] = __VERIFIER_nondet_char();
        if (map_set(&m, keys[i], i))
            return 0;
    }
    for (int i = 0; i < 3; i++) {
        int *found = map_get(&m, keys[i]);
        assert(found);
        int last = i;
        for (int j = i; j < 3; j++)
            if (keys[j][0] == keys[i][0])
                last = j;
        assert(*found == last);
    }
    map_deinit(&m);
    return 0;
}
