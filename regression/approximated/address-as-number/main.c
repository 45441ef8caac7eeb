extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    int x;
    if ((unsigned long)&x & 64) reach_error();
    return 0;
}
