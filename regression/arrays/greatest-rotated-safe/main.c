extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int greatest(int *x)
{
    long long most = 0;
    for (int i = 0; i < 30; i++)
        most = most < x[i] ? x[i] : most;
    return most;
}

int main(void)
{
    int x[30];
    for (int i = 0; i < 30; i++)
        x[i] = __VERIFIER_nondet_int();
    int before = greatest(x), first = x[0];
    for (int i = 0; i < 29; i++)
        x[i] = x[i + 1];
    x[29] = first;
    if (greatest(x) != before)
        reach_error();
    return 0;
}
