extern void reach_error(void);

int object;
union { int *whole; unsigned half[2]; } address;

int main(void)
{
    address.whole = &object;
    if (address.half[1]++ != 21760)
        reach_error();
    return 0;
}
