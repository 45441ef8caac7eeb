extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char a = __VERIFIER_nondet_int();
    signed char b = __VERIFIER_nondet_int();
    short product = a * b;
    if (product != a * b)
        reach_error();
    return 0;
}
