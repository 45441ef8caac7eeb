extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(16);
    int *q = realloc(p, 8);
    if (q == p)
        reach_error();
    return 0;
}
