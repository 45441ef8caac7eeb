extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    unsigned n = __VERIFIER_nondet_int(), i = 0;
    while (i < n)
        i++;
    if (i != n)
        reach_error();
    return 0;
}
