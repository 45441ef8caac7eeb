extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x = 1;

int main(void)
{
    {
        x = 2;
        if (x != 2)
            return 0;
    }
    if (x != 1)
        reach_error();
    return 0;
}
