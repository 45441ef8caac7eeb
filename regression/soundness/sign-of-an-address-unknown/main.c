extern void reach_error(void);
int main(void)
{
    int local = 0;
    if ((long)&local < 0)
        reach_error();
    return 0;
}
