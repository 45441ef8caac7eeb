extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a = 1, b = 2, *p = &a, **pp = &p;
    *pp = &b;
    *p = 5;
    if (a != 1 || b != 5) reach_error();
    return 0;
}
