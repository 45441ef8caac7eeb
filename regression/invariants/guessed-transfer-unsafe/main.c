extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned amount = __VERIFIER_nondet_uint();
    unsigned from = amount, to = 7;
    if (from > 5) from--;
    while (from != 0) {
        from--;
        to++;
    }
    if (to != amount + 7) reach_error();
    return 0;
}
