extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if (x == 0.0 && y == 0.0 && *(long *)&x != *(long *)&y && x < 1.0)
        reach_error();
    return 0;
}
