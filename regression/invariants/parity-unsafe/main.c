extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int x = 1;
    while (__VERIFIER_nondet_int())
        x += 2;
    if (x % 2)
        reach_error();
    return 0;
}
