extern void reach_error(void);

struct operations { int (*next)(int); };
static int increment(int k) { return k + 1; }
static struct operations operations = { increment };
extern void setup(void);

int main(void)
{
    setup();
    if (operations.next(3) != 4)
        reach_error();
    return 0;
}
