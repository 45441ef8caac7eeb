extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int a[100000];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 100000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 42;
    for (int x = 0; x < n; x++)
        if (a[x] != 42)
            reach_error();
    return 0;
}
