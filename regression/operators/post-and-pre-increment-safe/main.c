extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    int old = i;
    int seen = i++;
    if (seen != old)
        reach_error();
    return 0;
}
