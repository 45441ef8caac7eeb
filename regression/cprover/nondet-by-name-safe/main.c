unsigned char nondet_uchar(void);
_Bool nondet_bool();

int main(void)
{
    unsigned char c = nondet_uchar();
    _Bool b = nondet_bool();
    __CPROVER_assume(c > 3);
    __CPROVER_assert(c >= 4 && (b == 0 || b == 1), "in range");
}
