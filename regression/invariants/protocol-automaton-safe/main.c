extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { CLOSED, OPEN, FAILED };

int main(void)
{
    int state = CLOSED;
    for (;;) {
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (state == CLOSED)
                state = OPEN;
            break;
        case 1:
            if (state == OPEN) {
                if (state == FAILED)
                    reach_error();
                if (__VERIFIER_nondet_int())
                    state = FAILED;
            }
            break;
        default:
            state = CLOSED;
        }
    }
}
