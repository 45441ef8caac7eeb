extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), rows = 0, cells = 0;
    while (rows < n) {
        for (unsigned column = 0; column < 5; column++)
            cells++;
        rows++;
    }
    if (cells == 100000)
        reach_error();
    return 0;
}
