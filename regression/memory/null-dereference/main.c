extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct s { int x; };
int main(void)
{
    struct s v = { 1 };
    struct s *p = __VERIFIER_nondet_int() ? &v : 0;
    p->x = 2;
    if (!p) reach_error();
    return 0;
}
