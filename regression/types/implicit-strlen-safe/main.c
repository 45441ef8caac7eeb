extern void reach_error(void);

int main(void)
{
    if (_Generic(strlen("abc"), unsigned long: 0, default: 1))
        reach_error();
    if (strlen("abc") - 4 < 0)
        reach_error();
    return 0;
}
