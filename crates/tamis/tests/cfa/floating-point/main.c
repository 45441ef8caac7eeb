extern void reach_error(void);

int main(void)
{
    long double half = 0.5L;
    if (half + half != 1.0L)
        reach_error();
    return 0;
}
