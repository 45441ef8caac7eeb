extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int(), r = 0;
    for (int i = 0; i < 2; i++) {
        int y = x > i + 3 ? 1 : y;
        r += y;
    }
    return r;
}
