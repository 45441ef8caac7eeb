extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

#define MAX(a, b) ({ typeof(a) x = (a); typeof(b) y = (b); x > y ? x : y; })

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (MAX(n, 3) < 3)
        reach_error();
    return 0;
}
