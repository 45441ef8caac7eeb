extern void reach_error(void);

struct operations { void (*open)(void); };
extern void choose(struct operations *);

int main(void)
{
    struct operations chosen = { 0 };
    choose(&chosen);
    if (chosen.open) {
        chosen.open();
        reach_error();
    }
    return 0;
}
