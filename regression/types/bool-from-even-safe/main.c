extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    _Bool b = x;
    if (x != 0 && !b)
        reach_error();
    return 0;
}
