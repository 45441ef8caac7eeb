extern void reach_error(void);

int main(void)
{
    int x = 1;
    int *p = &x;
    if (*p != 1)
        reach_error();
    return 0;
}
