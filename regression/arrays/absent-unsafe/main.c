extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int(), wanted = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int a[1001];
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    int found = 0;
    while (found < n && a[found] != wanted)
        found++;
    for (int x = 0; x <= found; x++)
        if (x < n && a[x] == wanted)
            reach_error();
    return 0;
}
