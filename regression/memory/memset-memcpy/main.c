extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

extern void *memset(void *, int, unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
struct s { int a; short b; int c[2]; };
int main(void)
{
    struct s x, y = { 1, 2, { 3, 4 } };
    memset(&x, 0, sizeof x);
    if (x.a || x.b || x.c[1]) reach_error();
    memcpy(&x, &y, sizeof x);
    if (x.a != 1 || x.b != 2 || x.c[0] != 3 || x.c[1] != 4) reach_error();
    return 0;
}
