extern void reach_error(void);
extern int putchar(int);

int main(void)
{
    if (putchar(65) == 66)
        reach_error();
    return 0;
}
