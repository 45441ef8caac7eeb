extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

signed char low(int x) { return x; }

int main(void)
{
    if (low(__VERIFIER_nondet_int()) == 128)
        reach_error();
    return 0;
}
