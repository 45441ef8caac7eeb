extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x == 0.95 && (x >= 1.0 || x < 0.0 || x == -0.95))
        reach_error();
    return 0;
}
