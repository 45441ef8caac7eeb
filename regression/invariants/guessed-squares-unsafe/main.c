extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100) return 0;
    int sum = n == 3, i = 0;
    while (i < n) {
        sum += 2 * i + 1;
        i++;
    }
    if (sum != n * n) reach_error();
    return 0;
}
