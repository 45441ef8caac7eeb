extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

unsigned common(unsigned *x, unsigned *any)
{
    unsigned all = x[0];
    *any = x[0];
    for (int i = 1; i < 500; i++) {
        all &= x[i];
        *any |= x[i];
    }
    return all;
}

int main(void)
{
    unsigned x[500], any, again;
    for (int i = 0; i < 500; i++)
        x[i] = __VERIFIER_nondet_int();
    unsigned all = common(x, &any), last = x[499];
    for (int i = 499; i > 0; i--)
        x[i] = x[i - 1];
    x[0] = last | 64;
    if (common(x, &again) != all || again != any)
        reach_error();
    return 0;
}
