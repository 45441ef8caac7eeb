extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct board { int rows; char cells[3][4]; int columns; };

int main(void)
{
    struct board b = { 3, { { 0 } }, 4 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 13)
        return 0;
    char *at = &b.cells[0][0];
    at[i] = 1;
    if (b.rows != 3 || b.columns != 4)
        reach_error();
    return 0;
}
