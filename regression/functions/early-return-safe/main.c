extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int search(void)
{
    for (;;)
        if (__VERIFIER_nondet_int() == 7)
            return 1;
    return -1;
}

int main(void)
{
    if (search() == -1)
        reach_error();
    return 0;
}
