extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int amount = __VERIFIER_nondet_int();
    if (amount == 31 && 1L << (unsigned long)amount > 0)
        reach_error();
    return 0;
}
