extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int at = 0, ahead = 0;
    while (at < 1000000) {
        if (__VERIFIER_nondet_int() && ahead <= at + 6) ahead += 3;
        else if (at < ahead) at++;
        if (__VERIFIER_nondet_int()) continue;
        int left = ahead - at, taken = 0;
        while (left > 0) {
            left--;
            taken++;
        }
        if (taken > 8) reach_error();
    }
    return 0;
}
