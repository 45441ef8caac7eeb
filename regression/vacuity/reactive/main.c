extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > 3);
    switch (x & 1) { case 0: break; case 1: break; default: __VERIFIER_assume(0); }
    while (1) {
        x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x > 3);
        if (x == 0) reach_error();
    }
    return 0;
}
