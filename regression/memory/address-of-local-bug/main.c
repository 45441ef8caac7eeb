extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int x = 1, *p = &x;
    *p = __VERIFIER_nondet_int();
    if (x == 7) reach_error();
    return 0;
}
