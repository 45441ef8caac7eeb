extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int careless(int x)
{
    if (x > 0)
        return 1;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = careless(x);
    if (x > 0 && y != 1)
        reach_error();
    return 0;
}
