extern void reach_error(void);

extern void *__VERIFIER_nondet_pointer(void);

int main(void)
{
    int x = 0, y = 1;
    int *p = __VERIFIER_nondet_pointer();
    if (p == &x) {
        *p = 5;
        if (x != 5 || y != 1)
            reach_error();
    }
    return 0;
}
