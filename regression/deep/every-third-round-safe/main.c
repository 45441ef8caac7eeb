extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), threes = 0;
    for (unsigned i = 0; i < n; i++)
        if (i % 3 == 1)
            threes++;
    if (threes > n)
        reach_error();
    return 0;
}
