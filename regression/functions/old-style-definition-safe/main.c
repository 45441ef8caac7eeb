extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int difference(a, b)
    int a;
    int b;
{
    return a - b;
}

int main(void)
{
    if (difference(5, 3) != 2)
        reach_error();
    return 0;
}
