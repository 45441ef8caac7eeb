extern void reach_error(void);
extern void *__VERIFIER_nondet_pointer(void);
extern int elsewhere;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    elsewhere = 0;
    if (p == &elsewhere) {
        *p = 5;
        if (elsewhere == 5)
            reach_error();
    }
    return 0;
}
