extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static int g[2] = { 1, 2 };
static int change(int *p) { *p = 10; return 1; }
int main(void)
{
    int *p = g;
    int r = *p + change(p);
    if (r != 2) reach_error();
    return 0;
}
