extern int __VERIFIER_nondet_int(void);
int a(int n) { return n; }
void b(void) { }
void c(void) { }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            a(1);
            b();
        } else if (a(2) == 2) {
            c();
        } else {
            b();
        }
    }
    return 0;
}
