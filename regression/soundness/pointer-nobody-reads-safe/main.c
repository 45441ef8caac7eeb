extern void reach_error(void);

static int x;
static int *hidden;
extern void run(void);

int main(void)
{
    hidden = &x;
    run();
    if (x == 5)
        reach_error();
    return 0;
}
