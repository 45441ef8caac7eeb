extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int key;
    struct node *next;
};

int main(void) {
    struct node nodes[4], *head = 0;
    for (int i = 0; i < 4; i++) {
        nodes[i].key = i;
        if (__VERIFIER_nondet_int()) {
            nodes[i].next = head;
            head = &nodes[i];
        }
    }
    int last = 4;
    for (struct node *at = head; at; at = at->next) {
        if (at->key >= last)
            reach_error();
        last = at->key;
    }
    return 0;
}
