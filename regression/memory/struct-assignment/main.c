extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct s { int a; int b[3]; struct { char c; } d; };
int main(void)
{
    struct s x = { 1, { 2, 3, 4 }, { 5 } }, y;
    y = x;
    x.b[1] = 0;
    if (y.a != 1 || y.b[0] != 2 || y.b[1] != 3 || y.b[2] != 4 || y.d.c != 5) reach_error();
    return 0;
}
