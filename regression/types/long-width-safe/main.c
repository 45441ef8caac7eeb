extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long x = __VERIFIER_nondet_ulong();
    if (x > 0xffffffffu)
        reach_error();
    return 0;
}
