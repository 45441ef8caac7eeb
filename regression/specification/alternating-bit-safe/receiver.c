extern int __VERIFIER_nondet_int(void);
void get(void);
void receive0(void);
void receive1(void);
void reply0(void);
void reply1(void);
int main(void) {
    int expected = 0;
    for (;;) {
        int bit = __VERIFIER_nondet_int() != 0;
        if (bit) receive1(); else receive0();
        if (bit == expected) {
            get();
            expected = !expected;
        }
        if (bit) reply1(); else reply0();
    }
}
