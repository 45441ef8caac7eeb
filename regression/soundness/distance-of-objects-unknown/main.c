extern void reach_error(void);

static int first, second;
int main(void)
{
    int distance = (int)((long)&second - (long)&first);
    *(int *)((long)&first + distance) = 5;
    if (second == 5)
        reach_error();
    return 0;
}
