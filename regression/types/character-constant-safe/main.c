extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = '\377';
    if (x > 0)
        reach_error();
    return 0;
}
