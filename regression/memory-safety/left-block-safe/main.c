extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    int x = 1;
    {
        p = &x;
    }
    return __VERIFIER_nondet_int() ? *p : 0;
}
