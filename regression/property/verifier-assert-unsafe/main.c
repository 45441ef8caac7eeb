extern void __VERIFIER_assert(int condition);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 10)
        x = 10;
    __VERIFIER_assert(x < 10);
    return 0;
}
