extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int put = 0, taken = 0, stored = 0;
    while (1) {
        if (__VERIFIER_nondet_int()) {
            put++;
            stored++;
        } else if (stored > 0) {
            taken++;
            stored--;
        }
        if (put - taken != stored)
            reach_error();
    }
}
