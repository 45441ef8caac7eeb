extern void reach_error(void);

int cell;
union { int *whole; unsigned half[2]; } parts;

int main(void)
{
    parts.whole = &cell;
    unsigned low = parts.half[0], high = parts.half[1];
    unsigned long address = high;
    address <<= 32;
    address += low;
    *(int *)address = 1;
    if (cell == 1)
        reach_error();
    return 0;
}
