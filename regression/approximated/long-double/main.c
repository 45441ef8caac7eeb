extern void reach_error(void);

int main(void)
{
    long double d = 0.5L;
    if (d + d != 1.0L)
        reach_error();
    return 0;
}
