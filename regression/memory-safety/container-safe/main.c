extern int __VERIFIER_nondet_int(void);

struct link { struct link *next; };
struct item { int data; struct link link; };
static struct item *of(struct link *l)
{
    return (struct item *)((char *)l - __builtin_offsetof(struct item, link));
}

int main(void)
{
    struct link head;
    struct item a;
    head.next = &a.link;
    a.link.next = &head;
    for (struct item *i = of(head.next); &i->link != &head; i = of(i->link.next))
        i->data = __VERIFIER_nondet_int();
    return 0;
}
