extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int held = 0, old = 0, new = 1;
    while (old != new) {
        if (held)
            reach_error();
        held = 1;
        old = new;
        if (__VERIFIER_nondet_int()) {
            ;
            new++;
        }
    }
    return 0;
}
