extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    _Bool b = 1;
    b--;
    if (!b)
        reach_error();
    return 0;
}
