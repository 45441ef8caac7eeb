extern int __VERIFIER_nondet_int(void);

int a[3][4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 12)
        a[0][i] = 1;
    return 0;
}
