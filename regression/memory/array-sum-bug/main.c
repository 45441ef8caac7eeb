extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = i * i;
    if (a[3] == 9) reach_error();
    return 0;
}
