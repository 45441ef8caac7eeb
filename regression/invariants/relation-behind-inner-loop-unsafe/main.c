extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 0, b = 0, seen = 0;
    while (__VERIFIER_nondet_int()) {
        int by = __VERIFIER_nondet_int() ? 3 : 2;
        for (int i = 0; i < 4; i++) seen |= __VERIFIER_nondet_int();
        a += by;
        b += by == 3 ? 6 : 5;
    }
    while (a != 0) {
        a--;
        b -= 2;
    }
    if (b != 0) reach_error();
    return seen & 1;
}
