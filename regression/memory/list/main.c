extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

extern void *malloc(unsigned long);
struct n { int v; struct n *next; };
int main(void)
{
    struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    a->v = 1; a->next = b;
    b->v = 2; b->next = 0;
    int sum = 0;
    for (struct n *p = a; p; p = p->next) sum += p->v;
    if (sum != 3) reach_error();
    return 0;
}
