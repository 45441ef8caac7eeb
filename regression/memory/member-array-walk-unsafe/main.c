extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct packet { int id; char data[8]; int sum; };

int main(void)
{
    struct packet p = { 1, { 0 }, 0 };
    char *at = p.data;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 9)
        return 0;
    while (n--)
        *at++ = 1;
    if (p.id != 1 || p.sum != 0)
        reach_error();
    return 0;
}
