extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x != x )
        reach_error();
    return 0;
}
