extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void)
{
    int a = __VERIFIER_nondet_uchar();
    int b = __VERIFIER_nondet_short();
    int c = __VERIFIER_nondet_bool();
    if (a + b + c > 33023 - 1)
        reach_error();
    return 0;
}
