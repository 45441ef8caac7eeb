#include <stdlib.h>

struct stack {
    int count;
    int *top;
};
int calls;

int push(struct stack *s, int k)
__CPROVER_requires(__CPROVER_is_fresh(s, sizeof(*s)) && __CPROVER_is_fresh(s->top, sizeof(int)))
__CPROVER_requires(0 <= k && k < 10 && 0 <= s->count && s->count < 100)
__CPROVER_assigns(s->count, *s->top)
__CPROVER_ensures(__CPROVER_return_value == s->count && s->count == __CPROVER_old(s->count) + k)
{
    int own = k;
    int *fresh = malloc(sizeof *fresh);
    if (fresh)
        *fresh = 2;
    s->count += own;
    *s->top = 7;

    free(fresh);
    return s->count;
}

int main(void)
{
    struct stack *s;
    int k;
    push(s, k);
}

