extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int a = 0, b = 0;
    x ? a++ : b++;
    if (x) b++;
    if (a + b != 1)
        reach_error();
    return 0;
}
