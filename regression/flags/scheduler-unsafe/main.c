/* Three tasks hand a token on, each when the input picks it. The filter wakes the producer too early: the second slot may be full. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { READY, WAITING };

int main(void) {
    enum state producer = READY, filter = WAITING, consumer = WAITING;
    int first_full = 0, second_full = 0;
    while (1) {
        int who = __VERIFIER_nondet_int();
        if (who == 0 && producer == READY) {
            if (first_full)
                reach_error();
            first_full = 1;
            producer = WAITING;
            filter = READY;
        } else if (who == 1 && filter == READY) {
            if (!first_full || second_full)
                reach_error();
            first_full = 0;
            second_full = 1;
            filter = WAITING;
            consumer = READY;
            producer = READY;
        } else if (who == 2 && consumer == READY) {
            if (!second_full)
                reach_error();
            second_full = 0;
            consumer = WAITING;
            producer = READY;
        }
    }
}
