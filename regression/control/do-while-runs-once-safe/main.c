extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int ran = 0;
    do {
        ran = 1;
        x = 0;
    } while (x > 0);
    if (!ran)
        reach_error();
    return 0;
}
