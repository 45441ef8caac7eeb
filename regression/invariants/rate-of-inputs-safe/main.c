extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int way = 0;
    for (int hours = 0; hours < 90000; hours++) {
        int speed = __VERIFIER_nondet_int();
        if (speed < -7 || speed > 5) return 0;
        way += speed;
    }
    if (way < -630000 || way > 450000) reach_error();
    return 0;
}
