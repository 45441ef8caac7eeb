extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int total;

static void descend(int n)
{
    total += n;
    if (n > 0)
        descend(n - 1);
}

int main(void)
{
    int kept = __VERIFIER_nondet_int();
    int copy = kept;
    descend(__VERIFIER_nondet_int());
    if (kept != copy)
        reach_error();
    return 0;
}
