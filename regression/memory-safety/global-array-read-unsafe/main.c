extern int __VERIFIER_nondet_int(void);

int a[4] = { 1, 2, 3, 4 };

int main(void)
{
    int i = __VERIFIER_nondet_int();
    return i >= 0 && i  <= 4 ? a[i] : 0;
}
