extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
/* Is there a number whose way never comes to 1? */
int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned long long x = n;
    unsigned steps = 0;
    if (n == 0)
        return 0;
    while (x != 1) {
        if (x % 2 == 0)
            x = x / 2;
        else
            x = 3 * x + 1;
        steps++;
        if (steps > 1000)
            reach_error();
    }
    return 0;
}
