extern int __VERIFIER_nondet_int(void);
void syn(void);
void synack(void);
void ack(void);
void data(void);
int main(void) {
    while (__VERIFIER_nondet_int()) {
        int tries = 0;
        syn();
        synack();
        if (__VERIFIER_nondet_int()) ack();
        while (tries++ < 3)
            data();
    }
    return 0;
}
