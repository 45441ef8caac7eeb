extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

// The same sum, but how often is an input.
int main(void) {
    long double sum = 0;
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 10 && i < n; i++)
        sum += 1.0L / (1 << i);
    if (sum > 2)
        reach_error();
    return 0;
}
