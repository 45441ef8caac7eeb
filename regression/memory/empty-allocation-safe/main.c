extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(0);
    int empty = p == 0;
    if (empty && p != 0)
        reach_error();
    return 0;
}
