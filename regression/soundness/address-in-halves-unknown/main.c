extern void reach_error(void);

int cell;
unsigned high, low;
int main(void)
{
    unsigned long whole = (unsigned long)&cell;
    high = whole >> 32;
    low = (unsigned)whole;
    *(int *)((unsigned long)high << 32 | low) = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
