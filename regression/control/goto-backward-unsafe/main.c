extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
again:
    n++;
    if (n < 6 && __VERIFIER_nondet_int())
        goto again;
    if (n > 5)
        reach_error();
    return 0;
}
