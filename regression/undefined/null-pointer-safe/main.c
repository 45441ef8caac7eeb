extern int __VERIFIER_nondet_int(void);
static int cell;
static int *find(int key)
{
    return key > 5 ? &cell : 0;
}
int main(void)
{
    int *p = find(__VERIFIER_nondet_int());
    if (p != 0)
        *p = 1;
    return 0;
}
