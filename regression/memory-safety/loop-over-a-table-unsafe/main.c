extern int __VERIFIER_nondet_int(void);

int table[100];

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i <= 100; i++)
        table[i] = n;
    return 0;
}
