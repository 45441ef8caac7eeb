extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < -2147483647 - 1)
        return 0;
    int magnitude = x < 0 ? -x : x;
    if (magnitude < 0)
        reach_error();
    return 0;
}
