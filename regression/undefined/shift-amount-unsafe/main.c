extern int __VERIFIER_nondet_int(void);
int main(void)
{
    unsigned n = __VERIFIER_nondet_int();
    return (1ull << (n % 65)) == 7;
}
