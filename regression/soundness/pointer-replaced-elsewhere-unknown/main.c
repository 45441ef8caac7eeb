extern void reach_error(void);

struct box { int *content; };
extern void replace(struct box *);

int main(void)
{
    int x = 1;
    struct box box = { &x };
    replace(&box);
    int found = *box.content;
    x = 2;
    *box.content = 3;
    if (x == 2 && found == 7)
        reach_error();
    return 0;
}
