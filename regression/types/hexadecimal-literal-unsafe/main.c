extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = -1;
    if (x != 4294967295)
        reach_error();
    return 0;
}
