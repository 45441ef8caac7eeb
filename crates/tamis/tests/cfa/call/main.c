extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int largest(int a, int b) { return a > b ? a : b; }

int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = largest(a, 5);
    if (largest(b, a) != b)
        reach_error();
    return 0;
}
