extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int way = 0;
    for (int hours = 0; hours < 20; hours++) {
        int speed = __VERIFIER_nondet_int();
        if (speed < -7 || speed > 5) return 0;
        way += speed;
    }
    if (way < -140 || way > 99) reach_error();
    return 0;
}
