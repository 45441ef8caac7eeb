extern void reach_error(void);
int malloc();

int main(void)
{
    int *p = (int *)malloc(4);
    *p = 1;
    if (*p != 1)
        reach_error();
    return 0;
}
