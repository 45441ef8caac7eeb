extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100)
        return 0;
    char *p = __builtin_alloca(n);
    p[n + 0] = 1;
    return 0;
}
