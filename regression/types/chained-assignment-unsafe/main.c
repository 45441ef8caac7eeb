extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a;
    int b;
    a = b = __VERIFIER_nondet_int();
    if (a > 127)
        reach_error();
    return 0;
}
