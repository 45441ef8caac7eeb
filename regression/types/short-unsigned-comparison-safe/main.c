extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned short one = 1;
    if (x < 0 && x > one)
        reach_error();
    return 0;
}
