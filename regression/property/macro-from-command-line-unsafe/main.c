extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 1; i <= LIMIT; i++)
        sum += i;
    if (sum > 10)
        reach_error();
    return 0;
}
