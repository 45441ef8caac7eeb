extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 3;
    while (x < 1000000 && __VERIFIER_nondet_int()) x += __VERIFIER_nondet_int() ? 6 : 15;
    if (x == 999998) reach_error();
    return 0;
}
