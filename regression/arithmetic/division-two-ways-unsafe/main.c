extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = __VERIFIER_nondet_int();
    int q = 10 / d;
    if (d == 0 || q == 5)
        reach_error();
    return q;
}
