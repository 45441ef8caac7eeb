extern void reach_error(void);

int calls, target;

int *next(void)
{
    calls++;
    return &target;
}

int main(void)
{
    __asm__("" : "+r"(*next()));
    if (calls == 1)
        reach_error();
    return 0;
}
