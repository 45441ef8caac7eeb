extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int cell;
int main(void)
{
    unsigned long guess = __VERIFIER_nondet_ulong();
    if (guess + 1 == (unsigned long)&cell + 1)
        *(int *)guess = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
