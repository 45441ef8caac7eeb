extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0, n = __VERIFIER_nondet_int();
    for (int i = 0; i < 2; i++) {
        int a[4];
        a[0] = n;
        if (i == 0)
            p = a;
        p[1] = 1;
    }
    return 0;
}
