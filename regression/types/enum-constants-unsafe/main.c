extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum token { PLUS = 10, MINUS, TIMES = 13, DIVIDE };

int main(void)
{
    if (DIVIDE != 13)
        reach_error();
    return 0;
}
