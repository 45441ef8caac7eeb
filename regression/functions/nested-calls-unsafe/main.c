extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int twice(int x) { return 2 * x; }
int next(int x) { return x + 1; }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = twice(next(x));
    if (y % 2 == 0)
        reach_error();
    return 0;
}
