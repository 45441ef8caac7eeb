extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    for (int i = 0; i < 3; i++)
        p = &i;
    return __VERIFIER_nondet_int() ? *p : 0;
}
