extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int budget = 4;

int spend(void) { return budget-- > 0; }

int main(void)
{
    int spent = 0;
    while (spend())
        spent++;
    if (spent != 3)
        reach_error();
    return 0;
}
