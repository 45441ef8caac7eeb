extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

long long sum(int *x)
{
    long long s = 0;
    for (int i = 0; i < 40; i++)
        s += x[i];
    return s;
}

int main(void)
{
    int x[40];
    for (int i = 0; i < 40; i++)
        x[i] = __VERIFIER_nondet_int();
    long long before = sum(x) / 40;
    for (int i = 0; i < 20; i++) {
        int t = x[i];
        x[i] = x[39 - i];
        x[39 - i] = i == 7 ? 0 : t;
    }
    if (sum(x) / 40 != before)
        reach_error();
    return 0;
}
