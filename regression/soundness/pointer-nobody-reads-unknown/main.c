extern void reach_error(void);

static int x;
int *shown;
extern void run(void);

int main(void)
{
    shown = &x;
    run();
    if (x == 5)
        reach_error();
    return 0;
}
