#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *child; };
struct hooks { void *(*allocate)(size_t); void (*release)(void *); };

static struct hooks hooks = { malloc, free };

static void release(struct node *node)
{
    while (node) {
        struct node *next = node->next;
        if (node->child)
            release(node->child);
        hooks.release(node);
        node = next;
    }
}

static struct node *make(const struct hooks *with)
{
    struct node *node = with->allocate(sizeof *node);
    if (node)
        node->next = node->child = 0;
    return node;
}

int main(void)
{
    struct node *root = make(&hooks);
    for (int i = 0; i < 2; i++) {
        struct node *node = make(&hooks);
        if (root && node && __VERIFIER_nondet_int()) {
            node->next = root->child;
            root->child = node;
        } else if (node) {
            release(node);
        }
    }
    release(root);
    return 0;
}
