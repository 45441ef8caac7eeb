extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    static int m[3][5];
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i >= 3 || j < 0 || j >= 5) return 0;
    m[i][j] = 1;
    if (m[2][4] == 1 && (i != 2 || j != 4)) reach_error();
    return 0;
}
