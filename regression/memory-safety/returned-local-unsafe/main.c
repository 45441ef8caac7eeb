extern int __VERIFIER_nondet_int(void);

int *get(int x)
{
    int y;
    y = x;
    int *p = &y;
    return p;
}

int main(void)
{
    return *get(__VERIFIER_nondet_int());
}
