extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int lock = 0, got = 0, old;
    do {
        if (lock) {
            reach_error();
        }
        lock = 1;
        old = got;
        if (__VERIFIER_nondet_int()) {
            lock = 0;
            got++;
        }
    } while (got > 3);
    if (!lock) {
        reach_error();
    }
    return 0;
}
