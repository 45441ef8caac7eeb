extern void reach_error(void);

struct node { int value; int *data; };
static int shared;

int main(void)
{
    struct node node = {1, &shared};
    unsigned long tagged = (unsigned long)&node | 1;
    struct node *found = (struct node *)(tagged & ~1UL);
    *found->data = 5;
    if (shared == 5)
        reach_error();
    return 0;
}
