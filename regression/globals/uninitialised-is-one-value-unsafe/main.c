extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x, y;
    if (x != y)
        reach_error();
    return 0;
}
