extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
int main(void)
{
    int (*f)(int) = __VERIFIER_nondet_int() ? twice : thrice;
    if (f(7) == 21) reach_error();
    return 0;
}
