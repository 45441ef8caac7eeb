extern void reach_error(void);

int main(void)
{
    _Bool b = 0.5;
    if (b)
        reach_error();
    return 0;
}
