extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[10];
    unsigned i = __VERIFIER_nondet_int();
    if (i  < 10)
        a[i] = 1;
    return 0;
}
