extern void reach_error(void);

int main(void)
{
    int skipped = 1;
    static const int distance[] = {0, &&second - &&first};
    goto *(&&first + distance[1]);
first:
    skipped = 0;
second:
    if (skipped)
        reach_error();
    return 0;
}
