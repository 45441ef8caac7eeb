extern int __VERIFIER_nondet_int(void);

char bytes[8];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 5)
        *(int *)(bytes + i) = 1;
    return 0;
}
