extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int counter(void)
{
    auto int n = 0;
    return ++n;
}

int main(void)
{
    counter();
    counter();
    if (counter() != 3)
        reach_error();
    return 0;
}
