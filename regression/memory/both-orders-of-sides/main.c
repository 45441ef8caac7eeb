extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };
static struct node pool[2];
static struct node *head;
static int total;

static struct node *push(struct node *n, int v)
{
    n->value = v;
    n->next = head;
    head = n;
    total += v;
    return n;
}

int main(void)
{
    int v = __VERIFIER_nondet_int() & 3;
    push(&pool[0], v);
    head->next = push(&pool[1], 1);
    total += push(&pool[1], 2)->value;
    if (pool[0].value != v)
        reach_error();
    if (total < 2 || total > 8)
        reach_error();
    return 0;
}
