extern int __VERIFIER_nondet_int(void);

static int f(int x)
{
    if (x > 0)
        return 1;
}

int main(void)
{
    return f(__VERIFIER_nondet_int());
}
