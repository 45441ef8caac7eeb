extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    signed char c = __VERIFIER_nondet_int();
    switch (c) {
    case 200:
        reach_error();
    }
    return 0;
}
