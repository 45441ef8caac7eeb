extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = 254;
    if (++c == 0)
        reach_error();
    return 0;
}
