#include <stdlib.h>

struct vector { int *items; unsigned count, room; };

static int push(struct vector *v, int item)
{
    if (v->count == v->room) {
        int *more = realloc(v->items, 2 * (v->room + 1) * sizeof *more);
        if (!more)
            return 0;
        v->items = more;
        v->room = 2 * (v->room + 1);
    }
    v->items[v->count++] = item;
    return 1;
}

int main(void)
{
    struct vector v = { 0 };
    if (push(&v, 1) && push(&v, 2))
        push(&v, 3);
    free(v.items);
    return 0;
}
