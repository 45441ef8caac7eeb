extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0, flag = 0;
    while (1) {
        if (state == 0) {
            if (__VERIFIER_nondet_int()) {
                state = 1;
            }
        } else if (state == 1) {
            flag = 1;
            state = 2;
        } else if (state == 2) {
            if (flag != 1) {
                reach_error();
            }
            state = 0;
            flag = 0;
        } else {
            reach_error();
        }
    }
}
