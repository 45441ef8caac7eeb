extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int();
    if (a)
        goto middle;
top:
    a--;
middle:
    if (a > 0)
        goto top;
    if (a < 0)
        reach_error();
    return 0;
}
