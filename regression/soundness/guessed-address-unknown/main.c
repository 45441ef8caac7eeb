extern void reach_error(void);

int cell;
int main(void)
{
    unsigned long guess = 0, address = (unsigned long)&cell;
    while (guess < address)
        guess += 0x10000000;
    while (guess > address)
        guess--;
    *(int *)guess = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
