extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int odd(int *x)
{
    int count = 0;
    for (int i = 0; i < 32; i++)
        if (x[i] % 2)
            count += 3;
        else
            count -= 2;
    return count;
}

int main(void)
{
    int x[32];
    for (int i = 0; i < 32; i++)
        x[i] = __VERIFIER_nondet_int();
    int before = odd(x), t = x[3];
    x[3] = x[17];
    x[17] = t;
    if (odd(x) != before)
        reach_error();
    return 0;
}
