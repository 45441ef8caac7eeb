#include <assert.h>

struct list {
    struct list *next;
    int v;
};

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct list l = { &l, i };
        int y = i + (int)sizeof y;
        assert(l.next->v == i && y == i + 4);
    }
    return 0;
}
