extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    short s = __VERIFIER_nondet_short();
    long long wide = (unsigned int)s;
    if (s < 0 && wide > 0)
        reach_error();
    return 0;
}
