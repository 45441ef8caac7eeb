int main(void)
{
    unsigned n, i = 0, s = 0;
    __CPROVER_assume(n < 1000);
    while (i < n)
    __CPROVER_loop_invariant(i <= n && s == i)
    __CPROVER_decreases(n - i)
    {
        i++;
        s += 2;
    }
    __CPROVER_assert(s == 2 * n, "sum");
}

