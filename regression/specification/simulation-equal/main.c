extern int __VERIFIER_nondet_int(void);
void a(void) { }
void b(void) { }
void c(int n) { (void)n; }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        a();
        if (__VERIFIER_nondet_int())
            b();
        else
            c(0);
    }
    return 0;
}
