extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = x;
    while (y > 5)
        y--;
    if (x == 7)
        goto ERROR;
    return 0;
ERROR:
    if (x != 7)
        reach_error();
    return 1;
}
