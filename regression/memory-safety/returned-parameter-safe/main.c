extern int __VERIFIER_nondet_int(void);

int *get(int *x, int y)
{
    int *p = &y;
    return x;
}

int main(void)
{
    int z = __VERIFIER_nondet_int();
    return *get(&z, z);
}
