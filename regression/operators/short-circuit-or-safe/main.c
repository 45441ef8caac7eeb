extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int d = __VERIFIER_nondet_int();
    int calls = 0;
    if (d == 0 || (calls = 1, 10 / d > 5)) {
        if (calls && d == 0)
            reach_error();
    }
    return 0;
}
