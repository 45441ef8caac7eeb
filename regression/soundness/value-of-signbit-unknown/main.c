extern void reach_error(void);

int main(void)
{
    double zero = -0.0;
    if (__builtin_signbit(zero) == 1)
        reach_error();
    return 0;
}
