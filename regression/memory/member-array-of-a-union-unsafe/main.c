extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

union cell { unsigned number; unsigned char bytes[4]; };
struct row { int before; union cell cell; int after; };

int main(void)
{
    struct row r = { 1, { 0 }, 2 };
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 4)
        r.cell.bytes[i] = 1;
    if (r.before != 1 || r.after != 2 || r.cell.number == 1 << 16)
        reach_error();
    return 0;
}
