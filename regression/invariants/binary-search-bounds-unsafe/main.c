extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int lo = 0, hi = __VERIFIER_nondet_int();
    if (hi < 0)
        return 0;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (mid < lo || mid >= hi)
            reach_error();
        if (__VERIFIER_nondet_int())
            lo = mid + 1;
        else
            hi = mid;
    }
    return 0;
}
