extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 2147483647)
        (void)(x + 1);
    return 0;
}
