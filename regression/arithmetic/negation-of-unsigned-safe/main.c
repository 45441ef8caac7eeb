extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_uint();
    if (x != 0 && -x <= 0)
        reach_error();
    return 0;
}
