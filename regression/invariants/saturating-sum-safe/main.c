extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int sum = 0;
    while (1) {
        unsigned int add = __VERIFIER_nondet_uint();
        if (add > 1000 - sum)
            sum = 1000;
        else
            sum += add;
        if (sum > 1000)
            reach_error();
    }
}
