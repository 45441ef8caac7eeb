extern void reach_error(void);

struct operations { int (*open)(void); };
extern void choose(struct operations *);
static int one(void) { return 1; }

int main(void)
{
    struct operations chosen = { one }, kept = { one };
    choose(&chosen);
    if (kept.open() != 1)
        reach_error();
    return 0;
}
