extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[4] = { 0 }, b[4] = { 0 };
    int which = __VERIFIER_nondet_int();
    int *p = which ? a : b;
    p += which ? 3 : 1;
    return *p;
}
