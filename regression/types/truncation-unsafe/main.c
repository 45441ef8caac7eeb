extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 128)
        return 0;
    signed char c = x;
    if (c != x)
        reach_error();
    return 0;
}
