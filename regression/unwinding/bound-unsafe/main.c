extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int())
        x++;
    if (x == 4)
        reach_error();
    return 0;
}
