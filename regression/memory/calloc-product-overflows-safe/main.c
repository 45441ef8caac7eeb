extern void *calloc(__SIZE_TYPE__, __SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    int *p = calloc(((__SIZE_TYPE__)1 << (8 * sizeof(long) - 2)) + 1, 4);
    if (p != 0)
        reach_error();
    return 0;
}
