extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int s = __VERIFIER_nondet_int();
    if (s < 0 || s > 32)
        return 0;
    if (1 << s == 0)
        reach_error();
    return 0;
}
