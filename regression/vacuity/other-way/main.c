extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    if (y) {
        __VERIFIER_assume(x > y);
        __VERIFIER_assume(x < y);
    }
    if (x < y && y < x)
        reach_error();
    return 0;
}
