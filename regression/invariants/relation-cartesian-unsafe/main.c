extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = a;
    while (__VERIFIER_nondet_int()) {
        a++;
        b --;
    }
    if (a != b)
        reach_error();
    return 0;
}
