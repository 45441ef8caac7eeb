extern int __VERIFIER_nondet_int(void);

int *last, first;
void keep(int x)
{
    int y = x;
    if (last)
        *last = 1;
    last = &y;
}

int main(void)
{
    keep(__VERIFIER_nondet_int());
    *last = 2;
    return 0;
}
