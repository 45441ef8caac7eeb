extern void __VERIFIER_assume(int condition);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 101);
    if (x > 100)
        reach_error();
    return 0;
}
