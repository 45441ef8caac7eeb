extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char c, d;
    d = c;
    return __VERIFIER_nondet_int() ? sizeof d : 0;
}
