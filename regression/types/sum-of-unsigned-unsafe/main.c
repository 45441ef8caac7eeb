extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int y = __VERIFIER_nondet_uint();
    unsigned long long sum = (unsigned long long)(x + y);
    if (sum < x)
        reach_error();
    return 0;
}
