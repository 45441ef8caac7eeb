extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(32), *q = malloc(32), *r = malloc(32);
    free(r);
    if (p == q)
        reach_error();
    free(p);
    free(q);
    return 0;
}
