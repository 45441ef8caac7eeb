extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, n = 0;
    if (__VERIFIER_nondet_int())
        goto inside;
    for (i = 0; i < 5; i++) {
        n++;
    inside:
        n += 2;
        if (__VERIFIER_nondet_int())
            goto inside_again;
        continue;
    inside_again:
        if (n > 100)
            break;
    }
    if (n > 14)
        reach_error();
    return 0;
}
