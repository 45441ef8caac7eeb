extern int __VERIFIER_nondet_int(void);
void a(void) { }
void b(void) { }
void c(void) { }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        a();
        if (__VERIFIER_nondet_int())
            b();
        else
            c();
    }
    return 0;
}
