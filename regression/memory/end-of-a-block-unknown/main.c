extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 32 + 1;
    char *a = malloc(n), *b = malloc(n);
    if (a + n == b)
        reach_error();
    return 0;
}
