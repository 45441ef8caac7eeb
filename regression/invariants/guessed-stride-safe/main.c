extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 0;
    while (x < 100000000 && __VERIFIER_nondet_int()) x += 4;
    if (x > 100000000 || x % 4 != 0) reach_error();
    return 0;
}
