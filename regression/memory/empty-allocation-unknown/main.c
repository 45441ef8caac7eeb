extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(0);
    if (p == 0)
        reach_error();
    return 0;
}
