extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a = 1, b = 5, c = 2, d = 6, e = 5, f = 4, g = 8;
    while (__VERIFIER_nondet_int()) {
        if (a == 4) reach_error();
        int first = a;
        a = b;
        b = c;
        c = d;
        d = e;
        e = f;
        f = g;
        g = first;
    }
    return 0;
}
