extern void reach_error(void);

extern void *__VERIFIER_nondet_pointer(void);
int x;

int main(void)
{
    int *p = __VERIFIER_nondet_pointer();
    x = 0;
    if (p - &x == 0) {
        *p = 5;
        if (x == 5)
            reach_error();
    }
    return 0;
}
