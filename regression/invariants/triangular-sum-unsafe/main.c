extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < n && i < 6; i++)
        sum += i + 1;
    if (sum > 15)
        reach_error();
    return 0;
}
