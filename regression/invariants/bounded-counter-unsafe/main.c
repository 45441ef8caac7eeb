extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    while (__VERIFIER_nondet_int()) {
        if (n <= 1000000)
            n++;
        if (__VERIFIER_nondet_int())
            n = 999999;
        if (n > 1000000)
            reach_error();
    }
    return 0;
}
