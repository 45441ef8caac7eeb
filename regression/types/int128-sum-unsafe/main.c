extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);

typedef long long wide;

int main(void)
{
    long long a = __VERIFIER_nondet_longlong();
    long long b = __VERIFIER_nondet_longlong();
    wide sum = (wide)a + b;
    if (a > 0 && b > 0 && sum < 0)
        reach_error();
    return 0;
}
