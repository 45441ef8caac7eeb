extern int __VERIFIER_nondet_int(void);
int main(void)
{
    short s = __VERIFIER_nondet_int();
    signed char c = __VERIFIER_nondet_int();
    s++;
    c += 100;
    int product = c * s;
    return product != 0;
}
