extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int max = ({ int m = a; if (b > m) m = b; m; });
    if (max < a || max < b)
        reach_error();
    return 0;
}
