extern void reach_error(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    unsigned short a = __VERIFIER_nondet_ushort();
    unsigned short b = __VERIFIER_nondet_ushort();
    int d = a - b;
    if (d > 65535)
        reach_error();
    return 0;
}
