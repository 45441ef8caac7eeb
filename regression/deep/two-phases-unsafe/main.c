extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), x = 0;
    for (unsigned i = 0; i < n; i++) {
        if (x < 60000)
            x++;
        else
            x += 2;
    }
    if (x == 160000)
        reach_error();
    return 0;
}
