extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static unsigned power;

int main(void)
{
    int wanted = __VERIFIER_nondet_int();
    if (wanted < 0 || wanted > 100)
        return 0;
    power = (float)wanted / 100.0F;
    int strong = power > 5;
    if (strong)
        reach_error();
    return 0;
}
