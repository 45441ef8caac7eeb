extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    int up = 0, down = 0;
    int rounds = __VERIFIER_nondet_uchar();
    while (rounds > 0) {
        rounds--;
        up += 2;
        down -= 2;
    }
    while (up != 0) {
        up -= 2;
        down += 2;
    }
    if (up + down != 0)
        reach_error();
    return 0;
}
