unsigned char nondet_uchar(void);

int main(void)
{
    unsigned char c = nondet_uchar();
    __CPROVER_assume(c > 3);
    __CPROVER_assert(c != 255, "less than the greatest");
}
