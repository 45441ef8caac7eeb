extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int state = __VERIFIER_nondet_int();
    switch (state) {
    case 1:
        state = 10;
        break;
    case 2:
        state = 20;
        /* falls through */
    case 3:
        state++;
        break;
    default:
        return 1;
    }
    if (state == 5)
        reach_error();
    return 0;
}
