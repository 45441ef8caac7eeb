extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    if (size < 2 || size > 9000)
        return 0;
    int a[size];
    for (int i = 1; i <= size / 2; i++)
        a[2 * i - 2] = 7;
    for (int i = 1; i <= size / 2; i++)
        a[2 * i - 1] = 0;
    for (int i = 0; i < size; i++)
        if (a[i] < 5 && a[i] != 0)
            reach_error();
    return 0;
}
