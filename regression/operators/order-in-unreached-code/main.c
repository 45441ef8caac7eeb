extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int g;
static int set(int v) { return g = v; }

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int twice = 2 * (n & 15);
    if (twice % 2 == 1)
        g = g++ + set(1);
    if (g != 0)
        reach_error();
    return 0;
}
