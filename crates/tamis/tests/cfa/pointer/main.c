extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void set(int *p, int v) { *p = v; }

int main(void) {
    int a = 0, b = __VERIFIER_nondet_int();
    set(b ? &a : &b, 7);
    if (a + b == 8)
        reach_error();
    return 0;
}
