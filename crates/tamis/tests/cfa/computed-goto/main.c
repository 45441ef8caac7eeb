extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    static void *const next[] = {&&first, &&second};
    goto *next[__VERIFIER_nondet_int() & 1];
first:
    return 0;
second:
    reach_error();
}
