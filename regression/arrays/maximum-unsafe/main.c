extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int a[1000];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int max = a[0];
    for (int i = 0; i < n - 1; i++)
        if (a[i] > max)
            max = a[i];
    for (int i = 0; i < n; i++)
        if (a[i] > max)
            reach_error();
    return 0;
}
