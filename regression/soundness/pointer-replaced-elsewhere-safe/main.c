extern void reach_error(void);

struct box { int *content; };
extern void replace(struct box *);

int main(void)
{
    int x = 1;
    struct box box = { &x };
    replace(&box);
    *box.content = 3;
    if (*box.content != 3)
        reach_error();
    return 0;
}
