extern void reach_error(void);
extern void __VERIFIER_assume(int);
int main(void) {
    int n = 0;
    __VERIFIER_assume(n > 0);
    if (n == 0)
        reach_error();
    return 0;
}
