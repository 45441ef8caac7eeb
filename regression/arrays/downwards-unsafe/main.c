extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned a[500];
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 500)
        return 0;
    for (int i = n - 1; i > 0; i--)
        a[i] = i + 7;
    for (int i = 0; i < n; i++)
        if (a[i] != i + 7)
            reach_error();
    return 0;
}
