extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned int limit = 10;
    if (x < 0 && x < limit)
        reach_error();
    return 0;
}
