extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int x = __VERIFIER_nondet_int(), d = 10;
    while (d > 0) {
        if (x == 100 / d)
            return 1;
        d--;
    }
    return 100 % d;
}
