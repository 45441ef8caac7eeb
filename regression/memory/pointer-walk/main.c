extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    char s[4] = "abc";
    char *p = s;
    int n = 0;
    while (*p) { p++; n++; }
    if (n != 3 || p - s != 3) reach_error();
    return 0;
}
