extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char x = 0;
    while (__VERIFIER_nondet_uchar()) {
        x += 2;
    }
    if (x % 2 != 0) {
        reach_error();
    }
    return 0;
}
