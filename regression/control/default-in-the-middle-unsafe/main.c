extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = 0;
    switch (x) {
    case 1:
        y = 1;
        break;
    default:
        y = 2;
    case 2:
        y += 10;
    }
    if (x == 3 && y != 10)
        reach_error();
    return 0;
}
