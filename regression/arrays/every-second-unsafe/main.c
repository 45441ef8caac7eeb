extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000)
        return 0;
    int a[1002];
    a[1] = 0;
    for (int i = 0; i < n; i += 2)
        a[i] = 5;
    for (int i = 1; i < n; i += 2)
        if (a[i] != 5)
            reach_error();
    return 0;
}
