extern void reach_error(void);

static int x, y;
struct { int id; int *at; } table[2] = { { 1, &x }, { 2, &y } };
extern void run(void);

int main(void)
{
    y = 4;
    run();
    if (y == 5)
        reach_error();
    return 0;
}
