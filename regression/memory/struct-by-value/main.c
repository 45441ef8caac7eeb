extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct p { int x, y; };
static struct p swap(struct p a) { int t = a.x; a.x = a.y; a.y = t; return a; }
int main(void)
{
    struct p a = { 3, 4 };
    struct p b = swap(a);
    if (a.x != 3 || a.y != 4 || b.x != 4 || b.y != 3 || swap(b).x != 3) reach_error();
    return 0;
}
