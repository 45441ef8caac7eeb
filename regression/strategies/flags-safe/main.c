extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned char flag[2] = {0, 0};
    while (__VERIFIER_nondet_uint()) {
        unsigned i = __VERIFIER_nondet_uint() & 1;
        if (flag[i]) {
            flag[i] = 0;
        } else {
            flag[i] = 1;
            flag[1 - i] = 0;
        }
        if (flag[0] && flag[1])
            reach_error();
    }
    return 0;
}
