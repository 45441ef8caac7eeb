extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

void give_up(void) { ; }

int main(void)
{
    if (__VERIFIER_nondet_int()) {
        give_up();
        reach_error();
    }
    return 0;
}
