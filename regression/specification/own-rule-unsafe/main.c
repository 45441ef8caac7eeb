extern int __VERIFIER_nondet_int(void);
int depth, limit = 3;
void enter(int by) { depth += by; }
void leave(void) { depth--; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4)
        return 0;
    for (int i = 0; i < n; i++)
        enter(1);
    for (int i = 0; i < n; i++)
        leave();
done:
    return 0;
}
