extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int s = __VERIFIER_nondet_int();
    int y = 1 << s;
    if (y > 0 && y < 0)
        reach_error();
    return 0;
}
