extern void reach_error(void);

int main(void)
{
    int n = 3;
    int a[n];
    if (sizeof a != 12)
        reach_error();
    return 0;
}
