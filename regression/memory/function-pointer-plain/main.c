extern void reach_error(void);

int one(void) { return 1; }

int main(void)
{
    int (*f)(void) = one;
    if (f() != 1)
        reach_error();
    return 0;
}
