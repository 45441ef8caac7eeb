extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a[8], sum = 0;
    for (int i = 0; i < 8; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int *p = a; p  !=  a + 8; p++)
        sum ^= *p;
    return sum;
}
