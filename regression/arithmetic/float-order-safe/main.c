extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    if ((x < y) + (x > y) + (x == y) != 1 && x == x && y == y)
        reach_error();
    return 0;
}
