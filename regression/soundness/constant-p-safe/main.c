extern void reach_error(void);
const int answer = 42;

int main(void)
{
    int p = __builtin_constant_p(answer);
    if (__builtin_constant_p(42) != 1 || p < 0 || p > 1)
        reach_error();
    return 0;
}
