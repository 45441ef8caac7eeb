extern void reach_error(void);

extern void (*hook)(int);

int main(void)
{
    int n = 0;
    hook(++n);
    if (n == 1)
        reach_error();
    return 0;
}
