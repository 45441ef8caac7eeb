extern void *malloc(__SIZE_TYPE__);
extern void *realloc(void *, __SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    int *p = malloc(16);
    int *q = realloc(p, 32);
    if (q == 0)
        reach_error();
    return 0;
}
