extern int __VERIFIER_nondet_int(void);

int one(int x)
{
    return x;
}

int main(void)
{
    int (*f)(int) = __VERIFIER_nondet_int() ? one : 0;
    return f(1);
}
