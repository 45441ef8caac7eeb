extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 1)
        ;
    if (i != j)
        reach_error();
    return 0;
}
