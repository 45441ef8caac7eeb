extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 3;
    while (--n)
        ;
    if (n != -1)
        reach_error();
    return 0;
}
