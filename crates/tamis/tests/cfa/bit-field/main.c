extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct { unsigned low : 3, high : 5; } bits;
    bits.low = __VERIFIER_nondet_int();
    bits.high = 1;
    if (bits.low > 7)
        reach_error();
    return 0;
}
