extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    while ((x & 4) == 0 || (x | 4) == x)
        x++;
    if (x == 3)
        reach_error();
    return 0;
}
