extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), b = 2;
    a += b;
    b = a++ - 1;
    if (a == b)
        reach_error();
    return 0;
}
