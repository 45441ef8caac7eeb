extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    i = i++ + ++i;
    if (i == 5)
        reach_error();
    return 0;
}
