int seen, other;

int next(int *p, int k)
__CPROVER_requires(k > 0)
__CPROVER_assigns(*p, seen)
__CPROVER_ensures(*p == k && seen > __CPROVER_old(seen) && __CPROVER_return_value == k + 1);

int main(void)
{
    int x, y = 3, k;
    other = 5;
    seen = 2;
    __CPROVER_assume(0 < k && k < 100);
    int r = next(&x, k);
    __CPROVER_assert(x == k && y == 3 && other == 5 && seen > 2 && r == k + 1, "as promised");
}
