extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 5 && x < 3) {
        __VERIFIER_assume(x == 4);
        reach_error();
    }
    return 0;
}
