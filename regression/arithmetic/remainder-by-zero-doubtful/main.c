extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned int sum = 0;
    for (;;) {
        unsigned int d = __VERIFIER_nondet_uint();
        sum += 100 % d;
        if (d == 0) reach_error();
    }
}
