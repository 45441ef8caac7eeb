extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int i = 0;
    while (__VERIFIER_nondet_int()) {
        if (i < 10) i++;
    }
    __VERIFIER_assume(i > 20);
    if (__VERIFIER_nondet_int())
        reach_error();
    return 0;
}
