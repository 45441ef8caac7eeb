extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    while (1)
        ;
    reach_error();
    return 0;
}
