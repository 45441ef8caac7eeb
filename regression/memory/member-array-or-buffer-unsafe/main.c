extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct message { int kind; char text[8]; int sum; };

int main(void)
{
    struct message m = { 1, { 0 }, 2 };
    char buffer[16] = { 0 };
    int which = __VERIFIER_nondet_int();
    char *to = which ? m.text : buffer;
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= (which ? 12 : 16))
        return 0;
    to[i] = 1;
    if (m.kind != 1 || m.sum != 2)
        reach_error();
    return 0;
}
