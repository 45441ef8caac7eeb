extern void reach_error(void);

int a[4], b[4];
int main(void)
{
    int *end = a + 4, *start = b;
    if (end == start)
        reach_error();
    return 0;
}
