extern int __VERIFIER_nondet_int(void);

struct s {
    int a[3];
};

int main(void)
{
    struct s own = { { 1 } }, *p = &own;
    if (__VERIFIER_nondet_int())
        p = &(struct s){ { 2 } };
    p->a[0] = 3;
    return 0;
}
