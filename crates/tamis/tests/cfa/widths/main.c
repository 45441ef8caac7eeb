extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum colour { RED, GREEN = 5 };

int main(void) {
    signed char c = (signed char)__VERIFIER_nondet_int();
    unsigned short s = c;
    long wide = s;
    if (wide >> 3 == GREEN || (unsigned)c < 3U)
        reach_error();
    return 0;
}
