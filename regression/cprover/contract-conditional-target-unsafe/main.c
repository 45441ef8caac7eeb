int nondet_int(void);

void clear(int *p, int ok)
__CPROVER_assigns(ok > 1: *p)
{
    if (ok)
        *p = 0;
}

int main(void)
{
    int x = 1;
    clear(&x, nondet_int());
}
