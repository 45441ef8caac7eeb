extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = __VERIFIER_nondet_int(), log;
    if (a > 3)
        log = 1;
    else
        log = 2;
    if (a == 4)
        reach_error();
    return log;
}
