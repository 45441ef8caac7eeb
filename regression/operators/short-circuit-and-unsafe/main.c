extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int n = 0;
    int both = (x > 0) & (++n > 0);
    if (!both && n != 0)
        reach_error();
    return 0;
}
