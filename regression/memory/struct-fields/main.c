extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct s { int a; char b; long c; };
int main(void)
{
    struct s x = { 1, 2, 3 };
    struct s *p = &x;
    p->b = 77;
    if (x.a != 1 || p->b != 77 || x.c != 3) reach_error();
    return 0;
}
