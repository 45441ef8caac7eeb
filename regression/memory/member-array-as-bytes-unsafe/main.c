extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair { int first; char text[8]; int second; };

int main(void)
{
    struct pair p = { 1, { 0 }, 2 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 8)
        return 0;
    p.text[i] = 1;
    unsigned char *bytes = (unsigned char *)&p;
    for (unsigned j = 0; j < sizeof p; j++)
        bytes[j] = j == 15;
    if (p.first || p.text[i] || p.second)
        reach_error();
    return 0;
}
