extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int zeros[1000];
static int table[8] = { 1, [3] = 7, 9 };
int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 1000 && zeros[i] != 0) reach_error();
    if (table[0] != 1 || table[1] || table[3] != 7 || table[4] != 9 || table[7]) reach_error();
    return 0;
}
