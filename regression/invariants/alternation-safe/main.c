extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int ping = 1, pong = 0;
    while (__VERIFIER_nondet_int()) {
        if (ping) {
            ping = 0;
            pong = 1;
        } else {
            pong = 0;
            ping = 1;
        }
        if (ping == pong)
            reach_error();
    }
    return 0;
}
