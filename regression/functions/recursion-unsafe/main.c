extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n == 4 && fibonacci(n) == 3)
        reach_error();
    return 0;
}
