extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = 0;
    p = &(int){ 3 };
    return __VERIFIER_nondet_int() ? *p : 0;
}
