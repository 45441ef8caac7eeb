extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_ushort();
    if ((x * x) % 4 == 1)
        reach_error();
    return 0;
}
