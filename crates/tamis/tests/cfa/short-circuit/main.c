extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a > 0 && (__VERIFIER_nondet_int() || a < 9))
        if (a == 0)
            reach_error();
    return 0;
}
