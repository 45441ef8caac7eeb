extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int failures = 0, off = 0;
    while (__VERIFIER_nondet_int()) {
        if (off)
            continue;
        if (failures >= 3)
            reach_error();
        if (__VERIFIER_nondet_int())
            failures++;
        else
            failures = 0;
        if (failures == 4)
            off = 1;
    }
    return 0;
}
