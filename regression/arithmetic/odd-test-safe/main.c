extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int odd = x % 2 != 0;
    if (odd != (x & 1))
        reach_error();
    return 0;
}
