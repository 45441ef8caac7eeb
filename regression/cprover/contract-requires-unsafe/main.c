int next(int *p, int k)
__CPROVER_requires(k > 0)
__CPROVER_assigns(*p)
__CPROVER_ensures(*p == k)
{
    *p = k;
    return 0;
}

int main(void)
{
    int x, k;
    next(&x, k);
}
