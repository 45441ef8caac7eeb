extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    if (x % 7 != (x & 7))
        reach_error();
    return 0;
}
