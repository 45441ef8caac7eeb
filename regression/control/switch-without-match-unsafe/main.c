extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    switch (__VERIFIER_nondet_int() & 1) {
    default:
        reach_error();
    }
    return 0;
}
