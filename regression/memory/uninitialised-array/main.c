extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a[3];
    if (a[1] == 1234) reach_error();
    return 0;
}
