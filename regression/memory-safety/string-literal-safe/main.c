extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *s = "abc";
    int i = __VERIFIER_nondet_int();
    return i >= 0 && i <= 3 ? s[i] : 0;
}
