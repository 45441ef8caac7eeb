extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    union { unsigned u; unsigned char c[4]; } x;
    x.u = 0x11223344;
    if (x.c[0] != 0x44 || x.c[3] != 0x11) reach_error();
    x.c[1] = 0;
    if (x.u != 0x11220044) reach_error();
    return 0;
}
