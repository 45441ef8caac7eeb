extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char c;
    do {
        c = __VERIFIER_nondet_int();
        if (c == -1)
            reach_error();
    } while (c != 'q');
    return 0;
}
