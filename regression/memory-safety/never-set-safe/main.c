extern int __VERIFIER_nondet_int(void);

int x;

int main(void)
{
    int *p = &x;
    if (__VERIFIER_nondet_int())
        *p = 1;
    return 0;
}
