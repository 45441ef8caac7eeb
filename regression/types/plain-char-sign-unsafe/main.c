extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char c = __VERIFIER_nondet_int();
    if (c == 200)
        reach_error();
    return 0;
}
