extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    unsigned long sum = 0;
    while (i < n) {
        sum += i;
        i++;
    }
    if (sum == 4999950000)
        reach_error();
    return 0;
}
