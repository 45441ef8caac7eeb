extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int twice(int x) { return 2 * x; }
static int thrice(int x) { return 3 * x; }
static int (*const table[2])(int) = { twice, thrice };
int main(void)
{
    int i = __VERIFIER_nondet_int() != 0;
    int r = table[i](7);
    if (r != 14 && r != 21) reach_error();
    if (i == 1 && r != 21) reach_error();
    return 0;
}
