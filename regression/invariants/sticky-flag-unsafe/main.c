extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int alarm = 0, seen = 0;
    while (1) {
        int sample = __VERIFIER_nondet_int();
        if (sample > 90) {
            alarm = 1;
            seen = 1;
        } else if (sample < 0) {
            alarm = 0;
        }
        if (seen && !alarm)
            reach_error();
    }
}
