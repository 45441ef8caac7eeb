unsigned __CPROVER_bitvector[16] nondet_bits(void);

int main(void)
{
    __CPROVER_bool b = 2;
    __CPROVER_size_t n = -1;
    unsigned __CPROVER_bitvector[16] x = nondet_bits();
    __CPROVER_assert(b == 1 && n > 0xffffffff && x <= 65535, "");
}
