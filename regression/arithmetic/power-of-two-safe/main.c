extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    unsigned int x = __VERIFIER_nondet_ushort();
    if (x != 0 && (x & (x - 1)) == 0 && x % 3 == 0)
        reach_error();
    return 0;
}
