extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int walk(int fixed, int n)
{
    if (n <= 0)
        return fixed;
    return walk(fixed, n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (walk(7, n) != 7)
        reach_error();
    return 0;
}
