extern int __VERIFIER_nondet_int(void);

int get(int *p, int i)
{
    return p[i];
}

int main(void)
{
    int a[4] = { 0 }, b[4] = { 0 };
    int which = __VERIFIER_nondet_int();
    return get(which ? a : b, which ? 3 : 1);
}
