extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = -8;
    x /= 2;
    if (x != -4)
        reach_error();
    return 0;
}
