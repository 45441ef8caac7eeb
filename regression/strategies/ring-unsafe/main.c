extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char ring[2] = {0, 0};
    unsigned char head = 0, count = 0;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool()) {
            if (count < 3) {
                ring[(head + count) & 1] = 1;
                count++;
            }
        } else if (count > 0) {
            if (!ring[head])
                reach_error();
            ring[head] = 0;
            head = (head + 1) & 1;
            count--;
        }
    }
    return 0;
}
