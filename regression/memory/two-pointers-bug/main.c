extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    *p = 9;
    if (b == 9) reach_error();
    return 0;
}
