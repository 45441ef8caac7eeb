extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    const char *s = "xyz";
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3) return 0;
    if (s[i] == 'z' && i != 2) reach_error();
    return 0;
}
