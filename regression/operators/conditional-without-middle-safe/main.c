extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x ?: 5;
    if (y == 0)
        reach_error();
    return 0;
}
