extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int stamp;
static int next(void) { return ++stamp; }
static int doubled(void) { stamp = 2 * stamp; return stamp; }

int main(void)
{
    stamp = __VERIFIER_nondet_int() & 7;
    int before = stamp;
    int sum = next() + doubled();
    if (stamp != 2 * before + 2 && stamp != 2 * before + 1)
        reach_error();
    if (sum < before)
        reach_error();
    return 0;
}
