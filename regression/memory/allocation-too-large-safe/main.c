extern void *malloc(__SIZE_TYPE__);
extern void reach_error(void);

int main(void)
{
    char *p = malloc(-8);
    if (p != 0)
        reach_error();
    return 0;
}
