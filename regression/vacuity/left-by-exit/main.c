extern void reach_error(void);
extern void exit(int);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    while ((x & 4) == 0 || (x | 4) == x) {
        x++;
        if (x == 100)
            exit(0);
    }
    if (x == 3)
        reach_error();
    return 0;
}
