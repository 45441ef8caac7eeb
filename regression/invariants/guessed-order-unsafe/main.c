extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int sum = 499990, rounds = 499999;
    while (sum < 500000) {
        int by = __VERIFIER_nondet_int();
        if (by < 1 || by > 1000) return 0;
        sum += by;
        rounds++;
    }
    if (rounds > 500000) reach_error();
    return 0;
}
