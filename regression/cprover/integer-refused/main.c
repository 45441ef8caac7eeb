int main(void)
{
    __CPROVER_integer i = 0;
    return i;
}
