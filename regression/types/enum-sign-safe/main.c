extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum level { LOW, MIDDLE, HIGH };

int main(void)
{
    enum level l = (enum level)__VERIFIER_nondet_int();
    if (l < 0)
        reach_error();
    return 0;
}
