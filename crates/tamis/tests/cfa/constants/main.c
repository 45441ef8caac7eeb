extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int mode = 2;

int main(void) {
    int limit = 10, step = mode;
    int a = __VERIFIER_nondet_int();
    if (step == 3)
        a = limit;
    int copy = a;
    if (copy > limit && a < 5)
        reach_error();
    return 0;
}
