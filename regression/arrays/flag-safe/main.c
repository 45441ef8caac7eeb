extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000)
        return 0;
    int a[1000], b[1000];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    int same = 1;
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            same = 0;
        else if (i < 0)
            same = 1;
    if (same)
        for (int i = 0; i < n; i++)
            if (a[i] != b[i])
                reach_error();
    return 0;
}
