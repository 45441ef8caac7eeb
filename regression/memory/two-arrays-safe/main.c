extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned char ordered[3], copy[3];

int main(void)
{
    for (;;) {
        unsigned char i = __VERIFIER_nondet_uchar() % 3, v = __VERIFIER_nondet_uchar();
        ordered[i] = v;
        copy[i] = v;
        unsigned char j = __VERIFIER_nondet_uchar() % 3;
        if (ordered[j] != copy[j]) reach_error();
    }
}
