extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int c = __VERIFIER_nondet_int();
    int digit = 0;
    switch (c) {
    case 0 ... 8:
        digit = 1;
    }
    if (c >= 0 && c <= 9 && !digit)
        reach_error();
    return 0;
}
