extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int p = 0, q = 0;
    if (a > 10) {
        p = 1;
    }
    if (b > 20) {
        q = 1;
    }
    if (p == 1 && a <= 10) {
        reach_error();
    }
    if (q == 1 && b <= 21) {
        reach_error();
    }
    return 0;
}
