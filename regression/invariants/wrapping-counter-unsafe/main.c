extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    for (int i = 250; i < 256; i++)
        ;
    reach_error();
    return 0;
}
