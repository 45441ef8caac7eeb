extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned count = 0;
    while (__VERIFIER_nondet_int()) {
        char *p = malloc(1u << 28);
        free(p);
        count++;
    }
    if (count > 14)
        reach_error();
    return 0;
}
