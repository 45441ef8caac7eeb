extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);

static const unsigned char substitute[16] = { 12, 5, 6, 11, 9, 0, 10, 13, 3, 14, 15, 8, 4, 7, 1, 2 };

int main(void)
{
    unsigned char state = 0;
    for (;;) {
        unsigned char key = __VERIFIER_nondet_uchar() & 15;
        state = substitute[(state ^ key) & 15];
        if (state > 15) reach_error();
    }
}
