extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    _Bool b = __VERIFIER_nondet_int();
    if (b + b > 2)
        reach_error();
    return 0;
}
