extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void)
{
    int n = __VERIFIER_nondet_int(), last = n + 1;
    __VERIFIER_assume(n < 1000);
    for (int i = 0; i < n; i++)
        last = i + 1;
    return last;
}
