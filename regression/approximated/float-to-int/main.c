extern void reach_error(void);

int main(void)
{
    int x = 0.75L * 4;
    if (x != 3)
        reach_error();
    return 0;
}
