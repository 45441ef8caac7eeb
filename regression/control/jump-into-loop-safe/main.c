extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = 7, rounds = 0;
    goto inside;
    while (i < 5) {
        i++;
    inside:
        rounds++;
    }
    if (rounds != 1)
        reach_error();
    return 0;
}
