extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct node { int id; char data[8]; };

static struct node *node_of(char *data)
{
    return (struct node *)(data - __builtin_offsetof(struct node, data));
}

int main(void)
{
    struct node n = { 7, { 0 } };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 8)
        n.data[i] = 1;
    node_of(n.data)->id++;
    if (n.id == 8)
        reach_error();
    return 0;
}
