extern int __VERIFIER_nondet_int(void);

struct s { int a, b; } object;

int main(void)
{
    struct s *p = __VERIFIER_nondet_int() ? &object : 0;
    return p->b;
}
