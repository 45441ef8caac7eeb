extern void reach_error(void);

int main(void)
{
    if (sizeof(fabs(-1.5)) != sizeof(double) || sizeof(fabulous(1)) != sizeof(int))
        reach_error();
    return 0;
}
