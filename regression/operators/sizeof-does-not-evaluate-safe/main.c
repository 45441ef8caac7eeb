extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = 0;
    (void)sizeof(n++);
    if (n != 0)
        reach_error();
    return 0;
}
