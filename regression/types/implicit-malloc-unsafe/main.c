extern void reach_error(void);

int main(void)
{
    int *p = malloc(4);
    if (!p)
        return 0;
    *p = 1;
    if (*p == 1)
        reach_error();
    return 0;
}
