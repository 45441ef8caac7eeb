extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int one(void) { return 1; }
static int two(void) { return 2; }

int main(void)
{
    int (*choice)(void) = __VERIFIER_nondet_int() ? one : two;
    if (choice() > 2)
        reach_error();
    return 0;
}
