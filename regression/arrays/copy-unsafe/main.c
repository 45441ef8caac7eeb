extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000)
        return 0;
    int a[1000], b[1000], c[1000];
    int i;
    for (i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (i = 0; i < n; i++)
        b[i] = a[i ? i - 1 : i];
    for (i = 0; i < n; i++)
        c[i] = b[i];
    for (i = 0; i < n; i++)
        if (c[i] != a[i])
            reach_error();
    return 0;
}
