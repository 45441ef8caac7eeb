int nondet_int(void);

int main(void)
{
    unsigned x = nondet_int();
    unsigned y = x % 10;
    if (y > 9)
        return 1;
    if (y == 9)
        return 2;
    return 0;
}
