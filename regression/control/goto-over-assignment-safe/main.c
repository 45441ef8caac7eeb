extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1;
    goto next;

    x = 2;
next:
    if (x != 1)
        reach_error();
    return 0;
}
