extern void reach_error(void);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
int main(void) {
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 0);
    assume_abort_if_not(y > x);
    assume_abort_if_not(x > y);
    if (x != 100) reach_error();
    return 0;
}
