extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    switch (x) {
    case 0:
        switch (y) {
        case 0:
            break;
        default:
            return 0;
        }
        break;
    case 1:
        if (x == 0)
            reach_error();
    }
    return 0;
}
