// The same tree can be as deep as it has keys.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct tree {
    int key;
    struct tree *less, *more;
};

static struct tree *with(struct tree *tree, int key)
{
    if (!tree) {
        struct tree *leaf = malloc(sizeof *leaf);
        leaf->key = key;
        leaf->less = leaf->more = NULL;
        return leaf;
    }
    if (key < tree->key)
        tree->less = with(tree->less, key);
    else if (key > tree->key)
        tree->more = with(tree->more, key);
    return tree;
}

static int depth(const struct tree *tree, int key)
{
    for (int steps = 0; tree; steps++) {
        if (tree->key == key)
            return steps;
        tree = key < tree->key ? tree->less : tree->more;
    }
    return -1;
}

int main(void)
{
    int keys[3];
    struct tree *tree = NULL;
    for (int i = 0; i < 3; i++) {
        keys[i] = __VERIFIER_nondet_int();
        tree = with(tree, keys[i]);
    }
    for (int i = 0; i < 3; i++)
        if (depth(tree, keys[i]) < 0 || depth(tree, keys[i]) > 1)
            reach_error();
    return 0;
}
