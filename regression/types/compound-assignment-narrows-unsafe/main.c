extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = 250;
    c += 6;
    if (c < 250)
        reach_error();
    return 0;
}
