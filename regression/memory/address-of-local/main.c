extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void set(int *p, int v) { *p = v; }
int main(void)
{
    int x = 1;
    set(&x, 5);
    if (x != 5) reach_error();
    return 0;
}
