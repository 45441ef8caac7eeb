extern int __VERIFIER_nondet_int(void);

struct s {
    int a[3];
};

static int first(const struct s *p)
{
    return p->a[0];
}

int main(void)
{
    struct s own = { { 1 } }, *p = &own, *q = &(struct s){ { 5 } };
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n)
        sum = first(&(struct s){ { 2 } });
    else
        p = q;
    for (int i = 0; i < 2; i++)
        sum += first(&(struct s){ { i } });
    while (first(&(struct s){ { sum } }) < 9)
        sum++;
    p->a[0] = 3;
    return p->a[0] + sum;
}
