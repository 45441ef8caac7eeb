extern void __VERIFIER_assume(int condition);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    ;
    if (x == 3)
        reach_error();
    __VERIFIER_assume(x != 3);
    return 0;
}
