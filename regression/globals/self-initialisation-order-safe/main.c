extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = 3, b = a + 1, c = b * a;
    if (c != 12)
        reach_error();
    return 0;
}
