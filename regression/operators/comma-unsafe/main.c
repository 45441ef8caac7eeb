extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = 1;
    int b = (a = 5, a + 1);
    if (b != 2)
        reach_error();
    return 0;
}
