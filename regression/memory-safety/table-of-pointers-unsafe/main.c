extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char a[3] = "ab", b[5] = "abcd", *table[2] = { a, b };
    unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 2 && j < 4)
        return table[i][j];
    return 0;
}
