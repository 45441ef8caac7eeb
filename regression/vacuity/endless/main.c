extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    for (unsigned i = 10; i >= 0; i--)
        x++;
    if (x == 3)
        reach_error();
    return 0;
}
