extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 0;
    while (__VERIFIER_nondet_int()) {
        char *p = malloc(16);
        state = !state;
        free(p);
        state = !state;
    }
    if (state)
        reach_error();
    return 0;
}
