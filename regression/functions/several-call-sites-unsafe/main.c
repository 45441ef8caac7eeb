extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    if (value > high)
        return high;
    return value;
}

int main(void)
{
    int a = clamp(__VERIFIER_nondet_int(), 0, 10);
    int b = clamp(__VERIFIER_nondet_int(), 10, 30);
    if (a > b || b - a > 20)
        reach_error();
    return 0;
}
