extern void reach_error(void);

extern int __VERIFIER_nondet_int(void);
static int times(int a) { return a * 10 + 1; }
static int plus(int a) { return a + 7; }

int main(void)
{
    int c = __VERIFIER_nondet_int();
    int (*f)(int) = c > 5 ? plus : times;
    int r = f(({ int k = 0; again: k++; if (k < 3) goto again; k; }));
    if (c > 5 ? r != 10 : r != 31)
        reach_error();
    return 0;
}
