extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 1 ... 9:
        return 1;
    case 10:
        reach_error();
    }
    return 0;
}
