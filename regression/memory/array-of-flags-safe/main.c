extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

#define SIZE 4

int main(void)
{
    unsigned char flags[SIZE];
    for (int i = 0; i < SIZE; i++) flags[i] = 0;
    for (;;) {
        unsigned i = __VERIFIER_nondet_uint();
        if (i >= SIZE) break;
        if (flags[i] > 1) reach_error();
        flags[i] = __VERIFIER_nondet_uchar() & 1;
    }
    return 0;
}
