extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int size = __VERIFIER_nondet_int();
    char *p = malloc(size);
    if (size < 0 && p != 0)
        reach_error();
    return 0;
}
