extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int last;
        if (i != 2)
            last = __VERIFIER_nondet_int();
        else if (i == 2)
            sum += last;
    }
    return sum != 0;
}
