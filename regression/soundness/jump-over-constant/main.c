extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 3)
        goto middle;
    int k = 5;
    while (n > 0) {
        if (k != 5)
            reach_error();
        n--;
middle:
        n--;
    }
    return 0;
}
