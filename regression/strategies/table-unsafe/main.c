extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int up(int x) { return x < 3 ? x + 1 : x; }
static int down(int x) { return x > 0 ? x - 1 : x; }
static int stay(int x) { return x; }
static int (*const step[3])(int) = {up, down, stay};

int main(void) {
    int x = 0;
    while (__VERIFIER_nondet_uint()) {
        unsigned k = __VERIFIER_nondet_uint();
        if (k < 3)
            x = step[k](x);
        if (x < 0 || x > 2)
            reach_error();
    }
    return 0;
}
