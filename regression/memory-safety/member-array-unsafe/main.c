extern int __VERIFIER_nondet_int(void);

struct pair { int a[4]; int b[4]; } p;

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 9)
        p.a[i] = 1;
    return 0;
}
