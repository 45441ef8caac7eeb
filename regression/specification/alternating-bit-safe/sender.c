extern int __VERIFIER_nondet_int(void);
void put(void);
void send0(void);
void send1(void);
void ack0(void);
void ack1(void);
int main(void) {
    int bit = 0;
    for (;;) {
        int acknowledged = 0;
        put();
        while (!acknowledged) {
            if (bit) send1(); else send0();
            // The channel loses some, and the sender then sends again.
            if (__VERIFIER_nondet_int())
                continue;
            int got = __VERIFIER_nondet_int() != 0;
            if (got) ack1(); else ack0();
            acknowledged = got == bit;
        }
        bit = !bit;
    }
}
