extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0, phase = 0, turns = 0;
    while (i < n) {
        i++;
        if (phase == 9) {
            phase = 0;
            turns++;
        } else {
            phase++;
        }
    }
    if (turns == 20000)
        reach_error();
    return 0;
}
