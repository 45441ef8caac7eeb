extern void reach_error(void);

int main(void)
{
    int x = 0.75f * 4;
    if (x != 3)
        reach_error();
    return 0;
}
