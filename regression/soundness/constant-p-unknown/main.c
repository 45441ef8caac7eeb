extern void reach_error(void);
const int answer = 42;

int main(void)
{
    if (__builtin_constant_p(answer))
        reach_error();
    return 0;
}
