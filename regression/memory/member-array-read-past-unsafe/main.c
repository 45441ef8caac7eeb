extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair { int a[4]; int b[4]; };

int main(void)
{
    struct pair p = { { 0 }, { 7, 7, 7, 7 } };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 6 && p.a[i] == 7)
        reach_error();
    return 0;
}
