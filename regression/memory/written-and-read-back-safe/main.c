extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned char bytes[256];

int main(void)
{
    unsigned char at = 0, last = 0;
    bytes[0] = 0;
    for (;;) {
        if (bytes[at] != last) reach_error();
        at = __VERIFIER_nondet_uchar();
        last = __VERIFIER_nondet_uchar();
        bytes[at] = last;
        
    }
}
