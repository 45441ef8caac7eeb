extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    long sum = __VERIFIER_nondet_int();
    if (sum > 0 && sum + 1 < 0)
        reach_error();
    return 0;
}
