extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 5 + 1;
    int *p = calloc(n, sizeof(int));
    if (p == 0 || p[n - 1] != 0)
        reach_error();
    return 0;
}
