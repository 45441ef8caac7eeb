extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct p { int x, y; };
static int sum(const struct p *a) { return a->x + a->y; }
int main(void)
{
    for (int i = 0; i < 3; i++)
        if (sum(&(struct p){ i, 1 }) != i + 1) reach_error();
    return 0;
}
