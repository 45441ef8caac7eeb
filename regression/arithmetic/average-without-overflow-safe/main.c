extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    unsigned int average = (a & b) + ((a ^ b) >> 1);
    if (average != ((unsigned long long)a + b) / 2)
        reach_error();
    return 0;
}
