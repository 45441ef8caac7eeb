extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    unsigned int left = x << 5 | x >> 27;
    unsigned int back = left >> 5 | left << 27;
    if (back != x)
        reach_error();
    return 0;
}
