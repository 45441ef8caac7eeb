extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    int a[5];
    unsigned n = __VERIFIER_nondet_uint() % 6;
    for (unsigned i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (unsigned i = 1; i < n; i++)
        for (unsigned j = i; j > 1 && a[j - 1] > a[j]; j--) {
            int t = a[j];
            a[j] = a[j - 1];
            a[j - 1] = t;
        }
    for (unsigned i = 1; i < n; i++)
        if (a[i - 1] > a[i])
            reach_error();
    return 0;
}
