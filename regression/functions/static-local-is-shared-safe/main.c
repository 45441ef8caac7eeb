extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int first(void) { static int n; return ++n; }
int second(void) { static int n; return ++n; }

int main(void)
{
    int a = first();
    int b = first();
    if (a == b)
        reach_error();
    return 0;
}
