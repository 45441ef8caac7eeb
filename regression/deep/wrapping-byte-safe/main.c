extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), i = 0;
    unsigned char low = 0;
    for (; i < n; i++)
        low++;
    if (i > 100000 && low != (i & 255))
        reach_error();
    return 0;
}
