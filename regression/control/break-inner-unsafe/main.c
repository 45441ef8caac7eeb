extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int outer = 0;
    while (outer < 3) {
        outer++;
        while (1) {
            if (__VERIFIER_nondet_int())
                break;
        }
    }
    if (outer != 1)
        reach_error();
    return 0;
}
