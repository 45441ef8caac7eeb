extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int even = x & 1 == 0;
    if (x == 4 && !even)
        reach_error();
    return 0;
}
