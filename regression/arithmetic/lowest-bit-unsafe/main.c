extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int low = x & (~x - 1);
    if ((low & (low - 1)) != 0)
        reach_error();
    return 0;
}
