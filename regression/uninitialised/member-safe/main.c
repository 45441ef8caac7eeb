extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct s { int a, b; } s, t;
    s.a = __VERIFIER_nondet_int();
    t = s;
    return t.a;
}
