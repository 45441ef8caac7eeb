extern int __VERIFIER_nondet_int(void);

static int set(int *x)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        *x = n;
    return 1;
}

int main(void)
{
    int x;
    return set(&x) ? x : 0;
}
