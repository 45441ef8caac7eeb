extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int identity(int c) { return c; }

int main(void)
{
    if (identity(__VERIFIER_nondet_int()) > 255)
        reach_error();
    return 0;
}
