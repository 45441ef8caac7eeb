extern void *malloc(__SIZE_TYPE__);
extern void free(void *);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(32);
    free(p);
    char *q = malloc(32);
    if (p == q)
        reach_error();
    return 0;
}
