extern void reach_error(void);

struct pair { int a, b; };

static struct pair swap(struct pair p)
{
    return (struct pair){p.b, p.a};
}

int main(void)
{
    struct pair p = swap((struct pair){1, 2});
    if (p.a != 2)
        reach_error();
    return 0;
}
